"""Threads take short turns while a window is open, so that a busy worker doesn't hold it up."""

import sys

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.ui.window.application import short_switch_interval


def test_turns_are_short_once_the_window_has_started_and_as_before_afterwards(
    qtbot: QtBot,
) -> None:
    before = sys.getswitchinterval()

    with short_switch_interval(after_ms=20):
        assert sys.getswitchinterval() == before
        qtbot.waitUntil(lambda: sys.getswitchinterval() < before)

    assert sys.getswitchinterval() == before


def test_a_window_that_closes_while_it_starts_leaves_no_short_turns_behind(
    qapp: QApplication,
) -> None:
    before = sys.getswitchinterval()

    with short_switch_interval(after_ms=0):
        pass

    qapp.processEvents()  # a timer that was left would be due
    assert sys.getswitchinterval() == before
