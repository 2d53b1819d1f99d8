"""The end of an evaluation in the window: every answer is in reach until they are locked."""

import pytest
from PySide6.QtCore import Qt

from labeler.core.labeling.own_answers import AnswerFilter
from labeler.ui.labeling.my_answers_screen import MyAnswersScreen
from tests.gui.small_study import BEAVER, MARMOT, TRIALS
from tests.gui.window_session import WindowSession

# The screenless platform says so of every menu.
pytestmark = pytest.mark.qt_log_ignore(
    "This plugin does not support raise", "This plugin does not support grabbing the keyboard"
)


@pytest.fixture
def at_end(at_work: WindowSession) -> WindowSession:
    for _ in range(TRIALS):
        at_work.answer("beaver")
    at_work.finish_screen()
    return at_work


def test_an_answer_that_was_not_marked_is_reached_and_changed(at_end: WindowSession) -> None:
    at_end.press(Qt.Key.Key_F7)
    at_end.wait_for_trial(TRIALS)
    at_end.press(Qt.Key.Key_F7)
    at_end.wait_for_trial(TRIALS - 1)
    assert at_end.chosen == BEAVER
    at_end.answer("marmot")
    at_end.finish_screen()
    labels = {each.position: each.label for each in at_end.study.answers()}
    assert labels[TRIALS - 1] == MARMOT


def test_looking_through_by_mouse_leads_on_to_the_end_again(at_end: WindowSession) -> None:
    at_end.click(at_end.finish_screen().look_through)
    at_end.wait_for_trial(TRIALS)
    bar = at_end.screen.answer
    at_end.click(bar.back)
    at_end.wait_for_trial(TRIALS - 1)
    at_end.click(bar.next_button)
    at_end.wait_for_trial(TRIALS)
    at_end.click(bar.next_button)
    assert at_end.finish_screen().look_through.isVisible()


def my_answers(session: WindowSession) -> MyAnswersScreen:
    session.wait(lambda: isinstance(session.window.screen_shown, MyAnswersScreen))
    screen = session.window.screen_shown
    assert isinstance(screen, MyAnswersScreen)
    return screen


def test_an_answer_is_changed_from_my_answers_by_keyboard_alone(at_end: WindowSession) -> None:
    at_end.press(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    grid = my_answers(at_end).grid
    assert [tile.position for tile in grid.tiles] == list(range(1, TRIALS + 1))
    at_end.press(Qt.Key.Key_Right)
    at_end.press(Qt.Key.Key_Return)
    at_end.wait_for_trial(2)
    at_end.answer("marmot")
    back = my_answers(at_end)
    assert back.grid.currentIndex().row() == 1, "where the labeler was"
    names = [tile.name for tile in back.grid.tiles]
    assert names == ["beaver", "marmot"] + ["beaver"] * (TRIALS - 2)
    at_end.press(Qt.Key.Key_Escape)
    assert at_end.finish_screen().my_answers.isVisible()


def test_filters_by_mouse_and_the_end_page_says_how_long_it_took(at_end: WindowSession) -> None:
    at_end.wait(lambda: bool(at_end.finish_screen().time.text()))
    at_end.click(at_end.finish_screen().my_answers)
    screen = my_answers(at_end)
    screen.filters.setCurrentRow(list(AnswerFilter).index(AnswerFilter.CHANGED))
    assert not screen.grid.tiles
    assert screen.empty.isVisible()
    screen.filters.setCurrentRow(0)
    assert len(screen.grid.tiles) == TRIALS


def test_the_preview_follows_the_grid_and_opens_the_answer(at_end: WindowSession) -> None:
    at_end.click(at_end.finish_screen().my_answers)
    screen = my_answers(at_end)
    at_end.press(Qt.Key.Key_Right)
    assert "image 2" in screen.preview.facts.text()
    assert screen.preview.name.text() == screen.grid.tiles[1].name
    references, marmot = screen.preview.references, screen.grid.tiles[1].wnid
    assert references.wnid == marmot
    at_end.wait(lambda: references.loader.get(marmot) is not None)
    at_end.click(screen.preview.open)
    at_end.wait_for_trial(2)
