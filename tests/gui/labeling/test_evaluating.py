"""A labeler's way through an evaluation, by the keyboard alone and by the mouse alone."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QToolButton

from labeler.app.labeling.evaluation_flow import ANSWER_FIRST
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.home_cards import HomeCardKind
from labeler.ui.labeling.finish_screen import FinishScreen
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.labeling.workbench_screen import PAUSED_MESSAGE, WorkbenchScreen
from labeler.ui.study.home_screen import HomeScreen
from tests.gui.small_study import BEAVER, HAMSTER, MARMOT, TIGER, TRIALS, StoredAnswer
from tests.gui.window_session import CONTROL, WindowSession

# The screenless platform says so of every menu.
pytestmark = pytest.mark.qt_log_ignore(
    "This plugin does not support raise", "This plugin does not support grabbing the keyboard"
)


def test_a_trial_starts_with_the_search_field_in_focus_and_nothing_chosen(
    at_work: WindowSession,
) -> None:
    assert at_work.position == 1
    assert at_work.field.hasFocus()
    assert (at_work.field.text(), at_work.chosen, at_work.in_focus) == ("", None, None)
    at_work.answer("beaver")
    assert at_work.position == 2
    assert at_work.field.hasFocus()
    assert (at_work.field.text(), at_work.chosen, at_work.in_focus) == ("", None, None)


def test_the_whole_evaluation_is_answered_with_the_keyboard_alone(at_work: WindowSession) -> None:
    at_work.answer("beaver")
    at_work.press(Qt.Key.Key_M, CONTROL)  # to come back to it
    at_work.answer("marmot")
    _answer_with_escape_hatch(at_work)
    _answer_with_a_note(at_work)
    at_work.press(Qt.Key.Key_F9)
    at_work.press(Qt.Key.Key_Return)  # the first of the menu
    at_work.wait_for_trial(6)
    at_work.come_back()
    at_work.press(Qt.Key.Key_1, CONTROL)  # the most recent class
    at_work.press(Qt.Key.Key_Return, CONTROL)
    finish = at_work.finish_screen()
    assert finish.heading.text()
    at_work.press(Qt.Key.Key_Return)  # back to the marked trial
    at_work.wait_for_trial(2)
    assert at_work.chosen == MARMOT
    at_work.answer("hamster")
    _lock_by_keyboard(at_work)
    assert at_work.study.answers() == [
        StoredAnswer(1, 1, BEAVER, None, ""),
        StoredAnswer(2, 1, MARMOT, None, ""),
        StoredAnswer(2, 2, HAMSTER, None, ""),
        StoredAnswer(3, 1, TIGER, BEAVER, ""),
        StoredAnswer(4, 1, BEAVER, None, "a cartoon"),
        StoredAnswer(6, 1, BEAVER, None, ""),
    ]
    assert at_work.study.read("SELECT count(*) FROM trial WHERE locked_at IS NULL") == [(0,)]


def _answer_with_escape_hatch(session: WindowSession) -> None:
    session.choose("tiger")
    session.press(Qt.Key.Key_E, CONTROL)
    session.press(Qt.Key.Key_Return, CONTROL)  # refused: the alternative is missing
    assert session.position == 3
    session.choose("beaver")
    session.press(Qt.Key.Key_Return, CONTROL)
    session.wait_for_trial(4)


def _answer_with_a_note(session: WindowSession) -> None:
    session.press(Qt.Key.Key_N, CONTROL)
    session.type_in("a cartoon")
    session.press(Qt.Key.Key_Escape)
    assert session.field.hasFocus()
    session.answer("beaver")


def _lock_by_keyboard(session: WindowSession) -> None:
    finish = session.finish_screen()
    while not finish.ask.hasFocus():
        session.press(Qt.Key.Key_Tab)
    session.press(Qt.Key.Key_Return)
    while not finish.lock.hasFocus():
        session.press(Qt.Key.Key_Tab)
    session.press(Qt.Key.Key_Return)
    session.wait(finish.home.isVisible)
    session.press(Qt.Key.Key_Return)
    assert session.home().cards[HomeCardKind.EVALUATE].button is None


def test_the_whole_evaluation_is_answered_with_the_mouse_alone(at_work: WindowSession) -> None:
    bar, tools = at_work.screen.answer, at_work.tools
    every = [row.wnid for row in tools.browser.view.rows]
    for position in range(1, TRIALS + 1):
        at_work.wait_for_trial(position)
        choose_by_mouse(at_work, row=position)
        if position == 2:
            at_work.click(bar.escape_hatch)
            choose_by_mouse(at_work, row=position + 1)
        if position == 3:
            at_work.click(bar.mark)
        at_work.click(bar.submit)
    finish = at_work.finish_screen()
    at_work.click(finish.ask)
    at_work.click(finish.lock)
    at_work.wait(finish.home.isVisible)
    at_work.click(finish.home)
    assert at_work.home().cards[HomeCardKind.EVALUATE].button is None
    answers = at_work.study.answers()
    assert [answer.label for answer in answers] == every[1 : TRIALS + 1]
    assert [answer.alternative for answer in answers if answer.alternative] == [every[3]]


def choose_by_mouse(session: WindowSession, *, row: int) -> None:
    """Look at a class among those found, and choose it: two single clicks."""
    results, choose = session.tools.finder.results, session.sights.choose
    assert choose is not None
    session.click(results.viewport(), results.visualRect(results.model().index(row, 0)))
    session.click(choose)


def test_a_class_is_chosen_by_one_click_next_to_its_name_and_typing_looks_for_another(
    at_work: WindowSession,
) -> None:
    choose = at_work.sights.choose
    assert choose is not None
    at_work.type_in("beav")
    assert at_work.chosen is None
    at_work.click(choose)
    assert at_work.chosen == BEAVER
    at_work.type_in("marm")
    assert (at_work.field.text(), at_work.in_focus) == ("marm", MARMOT)


def test_a_neighbour_is_chosen_by_single_clicks_too(at_work: WindowSession) -> None:
    choose = at_work.sights.choose
    assert choose is not None
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_G, CONTROL)
    nearby = at_work.sights.neighbourhood
    at_work.click(nearby.viewport(), nearby.tile_layout.tiles[1])
    walked_to = at_work.in_focus
    assert walked_to != BEAVER
    at_work.click(choose)
    assert at_work.chosen == walked_to


def test_nothing_is_offered_to_choose_during_a_pause_or_where_nothing_is_asked(
    at_work: WindowSession,
) -> None:
    choose = at_work.sights.choose
    assert choose is not None
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_P, CONTROL)
    assert not choose.isEnabled()
    at_work.press(Qt.Key.Key_P, CONTROL)
    assert choose.isEnabled()
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.click(at_work.home().classes)
    at_work.wait(lambda: at_work.in_focus is not None)
    assert at_work.sights.choose is None


def test_how_sure_one_is_can_be_said_by_mouse(asked_how_sure: WindowSession) -> None:
    session = asked_how_sure
    session.choose("beaver")
    session.click(session.screen.answer.confidence.levels[3])
    assert session.workbench.view.answer.confidence == 4
    session.click(session.screen.answer.submit)
    session.wait_for_trial(2)


def test_a_bare_digit_says_how_sure_one_is_and_submits(asked_how_sure: WindowSession) -> None:
    session = asked_how_sure
    session.choose("beaver")
    session.press(Qt.Key.Key_4)
    session.wait_for_trial(2)
    assert session.study.read("SELECT confidence FROM prediction") == [(4,)]


def test_a_digit_searches_before_a_class_is_chosen_and_within_a_query(
    asked_how_sure: WindowSession,
) -> None:
    session = asked_how_sure
    session.type_in("3")
    assert session.field.text() == "3"
    session.choose("beaver")
    session.type_in("ma4")
    assert session.field.text() == "ma4"
    assert session.position == 1


def test_a_digit_searches_where_no_one_asks_how_sure_one_is(at_work: WindowSession) -> None:
    at_work.choose("beaver")
    at_work.press(Qt.Key.Key_4)
    assert at_work.field.text() == "4"
    assert at_work.position == 1


def test_a_hint_shows_that_it_can_be_clicked(at_work: WindowSession) -> None:
    for way in at_work.window.hint_bar.findChildren(QToolButton, "hint"):
        assert way.cursor().shape() is Qt.CursorShape.PointingHandCursor


def test_the_hints_lead_the_mouse_to_the_guide_and_home(at_work: WindowSession) -> None:
    hints = at_work.window.hint_bar.findChildren(QToolButton, "hint")
    ways = {way.text(): way for way in hints}
    at_work.choose("beaver")
    at_work.click(ways["guide"])
    at_work.wait(at_work.tools.guide.isVisible)
    at_work.click(ways["home"])
    assert at_work.home().isVisible()


def test_a_click_on_a_hint_leaves_the_keyboard_where_it_was(at_work: WindowSession) -> None:
    hints = at_work.window.hint_bar.findChildren(QToolButton, "hint")
    shown = (way for way in hints if way.isVisible())
    shortlist = next(way for way in shown if way.text() == "shortlist")
    at_work.type_in("beaver")
    at_work.click(shortlist)
    assert at_work.field.hasFocus()
    at_work.type_in("s")
    assert at_work.field.text() == "s", "the class was found, so this is another search"


def test_an_answer_can_be_changed_and_the_first_one_survives(at_work: WindowSession) -> None:
    at_work.answer("beaver")
    at_work.press(Qt.Key.Key_F7)
    at_work.wait_for_trial(1)
    assert at_work.chosen == BEAVER
    assert "Your answer, given before" in at_work.texts()
    at_work.answer("marmot")
    assert at_work.position == 2
    assert at_work.study.answers() == [
        StoredAnswer(1, 1, BEAVER, None, ""),
        StoredAnswer(1, 2, MARMOT, None, ""),
    ]


def test_onwards_shows_each_trial_with_what_belongs_to_it(at_work: WindowSession) -> None:
    at_work.answer("beaver")
    at_work.answer("marmot")
    at_work.wait_for_trial(3)
    for position in (2, 1):
        at_work.press(Qt.Key.Key_F7)
        at_work.wait_for_trial(position)
    assert at_work.in_focus == BEAVER
    at_work.press(Qt.Key.Key_F8)
    at_work.wait_for_trial(2)
    assert (at_work.field.text(), at_work.in_focus) == ("", MARMOT)
    at_work.press(Qt.Key.Key_F8)
    at_work.wait_for_trial(3)
    at_work.press(Qt.Key.Key_Return)
    assert (at_work.field.text(), at_work.chosen) == ("", None)


def test_a_trial_that_waits_for_its_answer_is_not_passed_over(at_work: WindowSession) -> None:
    at_work.press(Qt.Key.Key_F8)
    assert at_work.position == 1
    assert ANSWER_FIRST in at_work.texts()


def test_the_escape_hatch_is_taken_back_by_the_same_key(at_work: WindowSession) -> None:
    at_work.choose("tiger")
    at_work.press(Qt.Key.Key_E, CONTROL)
    assert at_work.screen.answer.escape_hatch.isChecked()
    at_work.press(Qt.Key.Key_E, CONTROL)
    assert not at_work.screen.answer.escape_hatch.isChecked()
    at_work.press(Qt.Key.Key_Return, CONTROL)
    at_work.wait_for_trial(2)
    assert at_work.study.answers() == [StoredAnswer(1, 1, TIGER, None, "")]


def test_a_pause_covers_the_image_and_lets_nothing_be_answered(at_work: WindowSession) -> None:
    at_work.choose("beaver")
    at_work.press(Qt.Key.Key_P, CONTROL)
    assert at_work.screen.image.is_covered
    assert PAUSED_MESSAGE in at_work.texts()
    at_work.press(Qt.Key.Key_Return, CONTROL)
    assert at_work.workbench.view.stage is WorkbenchStage.PAUSED
    at_work.press(Qt.Key.Key_P, CONTROL)
    assert not at_work.screen.image.is_covered
    assert at_work.position == 1
    assert at_work.study.answers() == []


def test_nothing_can_be_looked_up_during_a_pause(at_work: WindowSession) -> None:
    at_work.press(Qt.Key.Key_D, CONTROL)
    at_work.press(Qt.Key.Key_F, CONTROL)
    at_work.type_in("beaver")
    docks = at_work.screen.docks
    held = docks.a_class, docks.taxonomy
    before = [dock.geometry() for dock in held]
    at_work.click(at_work.screen.answer.pause)
    tools = at_work.field, at_work.sights.widget
    assert not any(tool.isVisible() for tool in (*tools, at_work.tools.taxonomy))
    at_work.type_in("marmot")
    at_work.press(Qt.Key.Key_F1)
    assert docks.guide.isHidden()
    assert [dock.geometry() for dock in held] == before
    at_work.press(Qt.Key.Key_P, CONTROL)
    assert at_work.field.text() == "beaver"
    assert [dock.geometry() for dock in held] == before
    assert all(tool.isVisible() for tool in tools)


def test_after_a_pause_typing_searches_again(at_work: WindowSession) -> None:
    at_work.press(Qt.Key.Key_P, CONTROL)
    at_work.press(Qt.Key.Key_Return)  # the button that goes on has the focus
    assert not at_work.screen.image.is_covered
    at_work.type_in("beaver")
    assert at_work.field.text() == "beaver"


def test_a_flagged_image_is_left_without_an_answer(at_work: WindowSession) -> None:
    at_work.click(at_work.screen.answer.flag)
    at_work.press(Qt.Key.Key_Down)
    at_work.press(Qt.Key.Key_Return)
    at_work.wait_for_trial(2)
    at_work.wait_until_written()
    assert at_work.study.answers() == []
    assert at_work.study.read("SELECT count(*) FROM trial WHERE flagged_wall_ms IS NOT NULL") == [
        (1,)
    ]


def test_a_known_image_is_answered_all_the_same(at_work: WindowSession) -> None:
    at_work.press(Qt.Key.Key_I, CONTROL)
    assert at_work.screen.answer.known.isChecked()
    at_work.answer("beaver")
    assert not at_work.screen.answer.known.isChecked()
    declared = "SELECT count(*) FROM exposure WHERE occasion = 'declared'"
    assert at_work.study.read(declared) == [(1,)]


def test_recent_classes_are_offered_without_counts(at_work: WindowSession) -> None:
    for name in ("beaver", "marmot", "beaver"):
        at_work.answer(name)
    chips = [
        c.text() for c in at_work.screen.answer.recent.findChildren(QPushButton) if c.isVisible()
    ]
    assert chips == ["1 beaver", "2 marmot"]
    at_work.press(Qt.Key.Key_2, CONTROL)
    assert at_work.chosen == MARMOT


def test_recent_classes_are_found_again_after_home_and_by_no_one_else(
    at_work: WindowSession,
) -> None:
    for name in ("beaver", "marmot"):
        at_work.answer(name)
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.home()
    at_work.begin()
    # Both were given within one tick of the clock, so either may be in the first slot.
    at_work.wait(lambda: {c.wnid for c in at_work.workbench.view.recent} == {BEAVER, MARMOT})
    slot = [c.wnid for c in at_work.workbench.view.recent].index(BEAVER)
    at_work.press((Qt.Key.Key_1, Qt.Key.Key_2)[slot], CONTROL)
    assert at_work.chosen == BEAVER
    details = at_work.tools.browser.view.details
    assert details is not None
    assert details.wnid == BEAVER
    assert at_work.tools.class_view.card.isVisible()
    at_work.press(Qt.Key.Key_W, CONTROL)
    person = at_work.home().person
    next(a for a in person.menu().actions() if a.text() == "Sign out").trigger()
    at_work.sign_in("B")
    at_work.begin()
    assert at_work.workbench.view.recent == ()


def test_leaving_and_coming_back_finds_the_trial_as_it_was(at_work: WindowSession) -> None:
    at_work.answer("tiger")
    at_work.choose("marmot")
    at_work.press(Qt.Key.Key_S, CONTROL)
    at_work.press(Qt.Key.Key_N, CONTROL)
    at_work.type_in("half a no")
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.home()
    at_work.begin()
    assert at_work.position == 2
    assert at_work.chosen == MARMOT
    assert at_work.field.text() == "marmot"
    assert at_work.tools.shortlisted == (MARMOT,)
    assert at_work.screen.answer.note.toPlainText() == "half a no"
    assert "Note: half a no" in at_work.texts()


def test_closing_the_window_keeps_the_trial_and_a_new_window_continues_there(
    at_work: WindowSession, open_session: Callable[..., WindowSession]
) -> None:
    at_work.answer("tiger")
    at_work.choose("marmot")
    at_work.press(Qt.Key.Key_N, CONTROL)
    at_work.type_in("a note to the very last letter")
    at_work.press(Qt.Key.Key_Q, CONTROL)
    assert not at_work.window.isVisible()
    again = open_session()
    again.sign_in()
    again.begin()
    assert (again.position, again.chosen) == (2, MARMOT)
    assert again.screen.answer.note.toPlainText() == "a note to the very last letter"
    assert any("Your answer and your time so far are kept" in text for text in again.texts())


def test_the_end_is_reached_again_from_home_while_nothing_is_locked(at_work: WindowSession) -> None:
    for _ in range(TRIALS):
        at_work.answer("beaver")
    at_work.click(at_work.finish_screen().later)
    home = at_work.home()
    button = home.cards[HomeCardKind.EVALUATE].button
    assert button is not None
    at_work.click(button)
    at_work.wait_for(FinishScreen)


def test_typing_before_the_classes_are_listed_searches_all_the_same(at_home: WindowSession) -> None:
    at_home.begin()
    at_home.wait(lambda: at_home.workbench.view.stage is WorkbenchStage.TRIAL)
    at_home.tools.focus_search()
    at_home.type_in("beaver")
    assert at_home.field.text() == "beaver"
    at_home.wait(lambda: at_home.tools.is_activated)
    at_home.wait_until_settled()
    assert (at_home.field.text(), at_home.in_focus) == ("beaver", BEAVER)


def test_the_guide_is_read_even_if_typing_came_first(at_home: WindowSession) -> None:
    button = at_home.home().cards[HomeCardKind.EVALUATE].button
    assert button is not None
    at_home.click(button)
    at_home.wait(lambda: not isinstance(at_home.window.screen_shown, HomeScreen))
    if isinstance(at_home.window.screen_shown, RulesScreen):
        at_home.press(Qt.Key.Key_Return)
    at_home.wait_for(WorkbenchScreen)
    assert not at_home.tools.is_activated
    at_home.tools.search("beaver")
    at_home.wait_until_settled()
    at_home.wait(lambda: at_home.tools.have_guide_row(MARMOT, BEAVER))
