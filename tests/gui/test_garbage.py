"""Python's look for garbage passes over what a labeler at work needs anyway."""

import gc

from PySide6.QtCore import Qt

from labeler.ui.garbage import seldom_collecting
from labeler.ui.screens.home import HomeScreen
from tests.gui.sitting import CONTROL, Sitting


def test_what_was_made_for_the_evaluation_is_passed_over_until_it_is_left(
    at_work: Sitting,
) -> None:
    assert gc.get_freeze_count() > 0

    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.wait_for(HomeScreen)

    assert gc.get_freeze_count() == 0


def test_garbage_is_looked_for_as_before_when_the_window_is_closed() -> None:
    before = gc.get_threshold()

    with seldom_collecting():
        assert gc.get_threshold()[0] > before[0]

    assert gc.get_threshold() == before
