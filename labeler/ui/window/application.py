"""Wires the window together and runs it."""

import signal
import sys
from dataclasses import dataclass

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from labeler import __version__
from labeler.app.keymap import Keymap, load_keymap
from labeler.app.study.key_overrides import with_usable_overrides
from labeler.app.study.preferences import Preferences
from labeler.core.clock import Clock, SystemClock
from labeler.ui.study.preferring import Preferring
from labeler.ui.window.collecting import collecting_here
from labeler.ui.window.crash_handler import told_as_incidents
from labeler.ui.window.look import Look
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.navigation import Shell, Wish
from labeler.ui.window.saved_state import WindowMemory
from labeler.ui.window.thread_turns import short_turns
from labeler.ui.window.ui_workers import Workers


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A window with what serves it; `faults` are sentences about settings that don't hold."""

    window: MainWindow
    look: Look
    shell: Shell
    faults: tuple[str, ...] = ()

    def close(self) -> None:
        """Close the window, which ends its workers, and let it go."""
        self.window.close_now()
        self.window.deleteLater()
        self.look.deleteLater()


def run(wish: Wish) -> int:
    """Show the window until it is closed; a faulty keymap is refused before anything is shown."""
    keymap = load_keymap()
    application = _application()
    with collecting_here(), short_turns():
        return _run(application, keymap, wish)


def _run(application: QApplication, keymap: Keymap, wish: Wish) -> int:
    opened = open_window(application, keymap=keymap, settings=QSettings())
    opened.window.show()
    opened.shell.start(wish)
    for fault in opened.faults:
        _tell(opened.window, fault)
    # Python sees no signal while Qt waits for events, so Ctrl-C in the terminal would do nothing.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        with told_as_incidents(
            lambda told: _tell(opened.window, told), blind=lambda: opened.shell.is_blind
        ):
            return application.exec()
    finally:
        signal.signal(signal.SIGINT, before)
        opened.close()


def open_window(
    application: QApplication,
    *,
    keymap: Keymap,
    settings: QSettings,
    preferences: Preferences | None = None,
    clock: Clock | None = None,
    workers: Workers | None = None,
) -> OpenWindow:
    """Build the window and all it needs, without showing it."""
    preferences = preferences or Preferences()
    memory = WindowMemory(settings)
    look = Look(application, preferences.settings.theme)
    look.set_text_scale(preferences.settings.text_size.scale)
    in_force = with_usable_overrides(keymap, preferences.settings.keys)
    window = MainWindow(look=look, keymap=in_force.keymap, memory=memory)
    Preferring(window, look=look, shipped=keymap, preferences=preferences)
    shell = Shell(
        window,
        look=look,
        preferences=preferences,
        memory=memory,
        workers=workers or Workers(),
        clock=clock or SystemClock(),
    )
    faults = (*preferences.faults, *in_force.faults)
    return OpenWindow(window=window, look=look, shell=shell, faults=faults)


def _tell(window: MainWindow, sentence: str) -> None:
    from labeler.ui.kit.text.text_dialogs import MessageDialog

    MessageDialog(sentence, window).open()


def _application() -> QApplication:
    QApplication.setApplicationName("labeler")
    QApplication.setOrganizationName("labeler")
    QApplication.setApplicationVersion(__version__)
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    # Told so, the style needs no Python object, which would take as long as loading the keys.
    return QApplication([*sys.argv[:1], "-style", "Fusion"])
