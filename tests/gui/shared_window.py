"""One window for the tests of a module that only look, and change nothing in the study."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.demo.support import demo_support
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.window.application import build_window
from labeler.ui.window.gc_policy import collection_on_gui_thread
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.navigation import LaunchRequest
from labeler.ui.window.workers import Workers
from tests.adjustable_clock import AdjustableClock
from tests.gui.small_study import SmallStudy
from tests.gui.window_session import CONTROL, WindowSession

# The shared windows that are open now. A test doesn't close them, nor end their threads.
open_windows: list[MainWindow] = []


def is_shared(widget: QWidget | None) -> bool:
    """Return whether it is a shared window, or a menu or dialog that belongs to one."""
    return widget is not None and (widget in open_windows or is_shared(widget.parentWidget()))


@contextmanager
def shared_session(
    study: SmallStudy, folder: Path, qtbot: QtBot, code: str
) -> Iterator[WindowSession]:
    """Open a window whose settings and log are in a folder of its own, and sign in."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    clock, workers = AdjustableClock(), Workers()
    with pytest.MonkeyPatch.context() as patch, collection_on_gui_thread():
        patch.setenv("HOME", str(folder))
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(folder / kind.lower()))
        opened = build_window(
            application,
            keymap=load_keymap(),
            settings=QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat),
            demo=demo_support(),
            clock=clock,
            workers=workers,
        )
        open_windows.append(opened.window)
        opened.window.show()
        qtbot.waitUntil(opened.window.isActiveWindow)
        opened.navigation.start(LaunchRequest(study=study.folder))
        session = WindowSession(opened, qtbot, clock, study, workers)
        session.sign_in(code)
        yield session
        open_windows.remove(opened.window)
        opened.close()
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def returned_home(session: WindowSession, qtbot: QtBot) -> WindowSession:
    """Close what the test before left open, and go home, whatever the screen."""
    session = in_front(session, qtbot)
    if not isinstance(session.window.screen_shown, HomeScreen):
        session.press(Qt.Key.Key_W, CONTROL)
    session.home()
    return session


def in_front(session: WindowSession, qtbot: QtBot) -> WindowSession:
    """Close what the test before left open, and have the keyboard in the window."""
    session = replace(session, qtbot=qtbot)
    for dialog in session.window.findChildren(QDialog):
        dialog.close()
        dialog.deleteLater()
    session.come_back()
    return session
