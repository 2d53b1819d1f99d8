"""Builds the window and runs the event loop."""

import gc
import signal
import sys
from dataclasses import dataclass

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from labeler import __version__
from labeler.app.keymap import Keymap, load_keymap
from labeler.app.logs import set_blindness
from labeler.app.study.demo_support import DemoSupport
from labeler.app.study.key_overrides import with_usable_overrides
from labeler.app.study.preferences import PreferencesStore
from labeler.core.clock import Clock, SystemClock
from labeler.ui.kit.text.text_dialogs import MessageDialog
from labeler.ui.study.preferences_dialog import PreferencesController
from labeler.ui.window.context import WindowContext
from labeler.ui.window.crash_handler import report_uncaught_errors
from labeler.ui.window.gc_policy import collection_on_gui_thread
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.navigation import LaunchRequest, Navigation
from labeler.ui.window.saved_state import SavedWindowState
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import Workers


@dataclass(frozen=True, slots=True)
class BuiltWindow:
    """A window and its parts; `faults` are sentences about settings that were ignored."""

    window: MainWindow
    appearance: Appearance
    navigation: Navigation
    faults: tuple[str, ...] = ()

    def close(self) -> None:
        """Close the window, which stops its workers, and delete it."""
        self.window.close_now()
        self.window.deleteLater()
        self.appearance.deleteLater()


def run(request: LaunchRequest, *, demo: DemoSupport) -> int:
    """Show the window until it is closed; a faulty keymap is an error before that."""
    keymap = load_keymap()
    application = _application()
    # Modules and classes stay until the end. Without them a full collection takes a third of the
    # time, during which the window doesn't respond.
    gc.freeze()
    with collection_on_gui_thread():
        return _run_event_loop(application, keymap, request, demo)


def _run_event_loop(
    application: QApplication, keymap: Keymap, request: LaunchRequest, demo: DemoSupport
) -> int:
    opened = build_window(application, keymap=keymap, settings=QSettings(), demo=demo)
    opened.window.show()
    opened.navigation.start(request)
    for fault in opened.faults:
        _show_message(opened.window, fault)
    # Python handles no signal while Qt waits for events: Ctrl+C in the terminal would do nothing.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        with report_uncaught_errors(
            lambda message: _show_message(opened.window, message),
            blind=lambda: opened.navigation.is_blind,
        ):
            return application.exec()
    finally:
        signal.signal(signal.SIGINT, before)
        opened.close()


def build_window(
    application: QApplication,
    *,
    keymap: Keymap,
    settings: QSettings,
    demo: DemoSupport,
    preferences: PreferencesStore | None = None,
    clock: Clock | None = None,
    workers: Workers | None = None,
) -> BuiltWindow:
    """Build the window and everything it needs, without showing it."""
    preferences = preferences or PreferencesStore()
    memory = SavedWindowState(settings)
    appearance = Appearance(application, preferences.settings.theme)
    appearance.set_text_scale(preferences.settings.text_size.scale)
    appearance.show_key_hints(preferences.settings.key_hints_shown)
    in_force = with_usable_overrides(keymap, preferences.settings.keys)
    window = MainWindow(appearance=appearance, keymap=in_force.keymap, memory=memory)
    PreferencesController(window, appearance=appearance, shipped=keymap, preferences=preferences)
    context = WindowContext(
        window=window,
        appearance=appearance,
        preferences=preferences,
        memory=memory,
        workers=workers or Workers(),
        clock=clock or SystemClock(),
    )
    navigation = Navigation(context, demo)
    set_blindness(lambda: navigation.is_blind)
    faults = (*preferences.faults, *in_force.faults)
    return BuiltWindow(window=window, appearance=appearance, navigation=navigation, faults=faults)


def _show_message(window: MainWindow, sentence: str) -> None:
    MessageDialog(sentence, window).open()


def _application() -> QApplication:
    QApplication.setApplicationName("labeler")
    QApplication.setOrganizationName("labeler")
    QApplication.setApplicationVersion(__version__)
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    return QApplication([*sys.argv[:1], "-style", "Fusion"])
