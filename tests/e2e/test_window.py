"""`labeler STUDY` opens the window on the real study, and closing it ends the program."""

import gc
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from labeler.ui.study.sign_in_screen import SignInScreen
from labeler.ui.window.main_window import MainWindow
from tests.e2e.conftest import Labeler


def test_the_window_opens_on_a_study_and_ends_with_it(
    qapp: QApplication, labeler: Labeler, tmp_path: Path
) -> None:
    seen: list[str] = []
    looking_anywhere: list[bool] = []

    def close_when_opened() -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, MainWindow) and isinstance(widget.screen_shown, SignInScreen):
                watcher.stop()  # on a busy machine closing takes longer than a tick
                seen.append(widget.windowTitle())
                looking_anywhere.append(gc.isenabled())
                widget.close()

    labeler("new", tmp_path / "study", "--name", "Birds")
    watcher = QTimer()
    watcher.timeout.connect(close_when_opened)
    watcher.start(10)
    outcome = labeler(tmp_path / "study")
    watcher.stop()
    assert (outcome.code, outcome.err) == (0, "")
    assert seen == ["Birds — labeler"]
    assert looking_anywhere == [False], "garbage is looked for on the window's thread only"
