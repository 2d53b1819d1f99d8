"""The first hint at the foot follows the keyboard: it says what can be done where that is."""

from PySide6.QtCore import Qt

from labeler.ui.window.hint_bar import CHOOSE_HINT
from tests.gui.window_session import CONTROL, WindowSession


def test_the_hint_says_what_is_done_where_the_keyboard_is(at_work: WindowSession) -> None:
    hint = at_work.window.hint_bar.at_place
    assert hint.text == CHOOSE_HINT
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_G, CONTROL)
    assert hint.text == "go to the class"
    at_work.press(Qt.Key.Key_Escape)
    assert hint.text == CHOOSE_HINT
    at_work.press(Qt.Key.Key_D, CONTROL)
    assert hint.text == "choose, or open a branch"


def test_in_the_guide_nothing_is_said_to_be_chosen_and_no_hint_moves(
    at_work: WindowSession,
) -> None:
    hint = at_work.window.hint_bar.at_place
    wide = hint.width()
    at_work.choose("beaver")
    at_work.press(Qt.Key.Key_F1)
    at_work.wait(lambda: at_work.tools.guide.isAncestorOf(at_work.window.focusWidget()))
    assert hint.text == ""
    assert (hint.width(), hint.isVisible()) == (wide, True)


def test_a_click_on_the_hint_does_what_it_says(at_work: WindowSession) -> None:
    hint = at_work.window.hint_bar.at_place
    at_work.type_in("beaver")
    at_work.click(hint.currentWidget().layout().itemAt(1).widget())
    assert at_work.chosen is not None
