"""Wires the window together and runs it."""

import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication

from labeler import __version__
from labeler.app.incidents import record
from labeler.app.keymap import Keymap, load_keymap
from labeler.app.overview import WindowInputs
from labeler.app.presenters.class_browser import ClassBrowser
from labeler.app.presenters.references import References
from labeler.core.clock import SystemClock
from labeler.ui.dialogs.message import MessageDialog
from labeler.ui.look import Look
from labeler.ui.main_window import MainWindow
from labeler.ui.qt_runner import QtRunner
from labeler.ui.screens.study import StudyScreen
from labeler.ui.sheet_image import decode_sheet
from labeler.ui.unexpected import told_as_incidents
from labeler.ui.window_memory import WindowMemory

DECODING_THREADS = 2
_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A window with the worker that serves it."""

    window: MainWindow
    look: Look
    runner: QtRunner

    def close(self) -> None:
        """End the worker and let the window go."""
        self.window.close()
        self.runner.close()
        self.window.deleteLater()
        self.look.deleteLater()


def run(window_inputs: WindowInputs, *, each_minute: Callable[[], object]) -> int:
    """Show the window until it is closed; a faulty keymap is refused before anything is shown.

    `each_minute` is done off the GUI thread as long as the window is open.
    """
    keymap = load_keymap()
    application = _application()
    opened = open_window(application, window_inputs, keymap=keymap, settings=QSettings())
    _do_each_minute(opened, each_minute)
    opened.window.show()
    # Python sees no signal while Qt waits for events, so Ctrl-C in the terminal would do nothing.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        with told_as_incidents(lambda told: MessageDialog(told, opened.window).open()):
            return application.exec()
    finally:
        signal.signal(signal.SIGINT, before)
        opened.close()


def open_window(
    application: QApplication, inputs: WindowInputs, *, keymap: Keymap, settings: QSettings
) -> OpenWindow:
    """Build the window and all it needs, without showing it."""
    memory = WindowMemory(settings)
    look = Look(application, memory.theme)
    runner = QtRunner(threads=DECODING_THREADS)
    browser = ClassBrowser(taxonomy=inputs.taxonomy, guide_pairs=inputs.guide_pairs)
    references = References(folder=inputs.thumbnails, runner=runner, decode=decode_sheet)
    screen = StudyScreen(
        look=look,
        keymap=keymap,
        study_name=inputs.study_name,
        overview=inputs.overview,
        browser=browser,
        references=references,
    )
    window = MainWindow(
        look=look, keymap=keymap, memory=memory, study_name=inputs.study_name, screen=screen
    )
    runner.submit(lambda _job: browser.prepare(), done=_ignore, failed=_ignore, urgent=False)
    return OpenWindow(window=window, look=look, runner=runner)


def _do_each_minute(opened: OpenWindow, work: Callable[[], object]) -> None:
    timer = QTimer(opened.window)
    timer.setInterval(_MINUTE_MS)
    timer.timeout.connect(
        lambda: opened.runner.submit(
            lambda _job: work(), done=_ignore, failed=_record, urgent=False
        )
    )
    timer.start()


def _record(error: Exception) -> None:
    """Nobody waits for this work, but its failure belongs in the log."""
    record(error, at=SystemClock().utc())


def _application() -> QApplication:
    QApplication.setApplicationName("labeler")
    QApplication.setOrganizationName("labeler")
    QApplication.setApplicationVersion(__version__)
    running = QApplication.instance()
    return running if isinstance(running, QApplication) else QApplication(sys.argv[:1])


def _ignore(_answer: object) -> None:
    """Nobody waits for it: what couldn't be prepared ahead is made when it is needed."""
