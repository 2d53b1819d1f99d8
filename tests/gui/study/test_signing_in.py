"""From the start page to the first trial: signing in, roles, and unfinished work."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget

from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.people import add_person
from labeler.app.study.phase_facts import EVALUATION_NOT_OPEN, PHASE_LOCKED
from labeler.app.study.phases import lock_phase
from labeler.app.study.settings import set_lead_passphrase
from labeler.app.study.sign_in import WRONG_PASSPHRASE, unknown_code_text
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.study.start_screen import StartScreen
from labeler.ui.window.navigation import LaunchRequest
from tests.adjustable_clock import AdjustableClock
from tests.gui.small_study import STUDY_NAME, TRIALS, SmallStudy
from tests.gui.window_session import ALT, CONTROL, WindowSession


def test_a_wrong_code_is_refused_and_can_be_retyped(
    open_session: Callable[..., WindowSession],
) -> None:
    session = open_session()
    screen = session.sign_in_screen()
    session.type_in("nobody")
    session.press(Qt.Key.Key_Return)
    session.wait(screen.error_banner.isVisible)
    assert "no participant 'nobody'" in screen.error_banner.sentence
    session.type_in("A")
    session.press(Qt.Key.Key_Return)
    assert "A · labeler" in session.home().person.text()


def test_a_code_is_remembered_on_the_machine_and_return_is_enough(
    at_home: WindowSession, open_session: Callable[..., WindowSession]
) -> None:
    at_home.press(Qt.Key.Key_Q, CONTROL)
    again = open_session()
    assert again.sign_in_screen().code.text() == "A"
    again.press(Qt.Key.Key_Return)
    assert "A · labeler" in again.home().person.text()


def test_each_code_gets_its_last_role_on_this_computer(
    at_home: WindowSession, open_session: Callable[..., WindowSession]
) -> None:
    home = at_home.home()
    next(a for a in home.person.menu().actions() if a.text() == "Sign out").trigger()
    screen = at_home.sign_in_screen()
    at_home.type_in("L")
    screen.roles[Role.LEAD].click()
    at_home.press(Qt.Key.Key_Return)
    at_home.home()
    at_home.press(Qt.Key.Key_Q, CONTROL)
    again = open_session()
    screen = again.sign_in_screen()
    assert screen.roles[Role.LEAD].isChecked()
    again.type_in("A")
    assert screen.roles[Role.LABELER].isChecked()
    again.press(Qt.Key.Key_Return)
    assert "A · labeler" in again.home().person.text()


def test_a_lead_needs_the_passphrase_where_the_study_has_one(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    with open_study(study.folder, clock=session.clock) as store:
        set_lead_passphrase(store, "open sesame")
    session.click(session.sign_in_screen().other)
    session.wait_for(StartScreen)
    session.opened.navigation.start(LaunchRequest(study=study.folder))
    screen = session.sign_in_screen()
    session.type_in("L")
    session.press(Qt.Key(Qt.Key.Key_1 + list(screen.roles).index(Role.LEAD)), ALT)
    assert screen.passphrase.hasFocus()
    session.type_in("wrong")
    session.press(Qt.Key.Key_Return)
    session.wait(screen.error_banner.isVisible)
    assert screen.error_banner.sentence == WRONG_PASSPHRASE
    session.type_in("open sesame")
    session.press(Qt.Key.Key_Return)
    assert "L · lead" in session.home().person.text()


def test_home_shows_the_labelers_progress(at_work: WindowSession) -> None:
    at_work.answer("beaver")
    at_work.answer("marmot")
    at_work.press(Qt.Key.Key_W, CONTROL)
    card = at_work.home().cards[HomeCardKind.EVALUATE]
    assert f"2 of {TRIALS}" in card.accessibleDescription()
    assert card.button is not None
    assert card.button.hasFocus()
    at_work.press(Qt.Key.Key_Return)
    at_work.wait_for_trial(3)


def test_the_rules_are_shown_once_to_each_person(at_home: WindowSession) -> None:
    at_home.press(Qt.Key.Key_Return)
    at_home.wait_for(RulesScreen)
    at_home.press(Qt.Key.Key_Return)
    at_home.wait_for_trial(1)
    at_home.press(Qt.Key.Key_W, CONTROL)
    at_home.home()
    at_home.press(Qt.Key.Key_Return)
    at_home.wait(lambda: isinstance(at_home.window.screen_shown, RulesScreen | WorkbenchScreen))
    assert isinstance(at_home.window.screen_shown, WorkbenchScreen)
    at_home.wait_for_trial(1)
    _change_person(at_home, "B")
    at_home.press(Qt.Key.Key_Return)
    at_home.wait_for(RulesScreen)


def _change_person(session: WindowSession, code: str) -> None:
    session.press(Qt.Key.Key_W, CONTROL)
    home = session.home()
    next(a for a in home.person.menu().actions() if a.text() == "Sign out").trigger()
    session.sign_in(code)


def test_started_for_a_labeler_the_window_goes_straight_to_the_task(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session(LaunchRequest(study=study.folder, code="A"))
    session.wait_for(RulesScreen)
    session.press(Qt.Key.Key_Return)
    session.wait_for_trial(1)
    assert session.window.windowTitle() == f"{STUDY_NAME} — labeler"


def test_started_for_a_labeler_without_an_open_evaluation_the_window_says_why(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    with open_study(study.folder, clock=AdjustableClock()) as store:
        lock_phase(store, Phase.EVALUATE, unfinished=True)
    session = open_session(LaunchRequest(study=study.folder, code="A"))
    assert session.home().error_banner.sentence == f"{EVALUATION_NOT_OPEN} {PHASE_LOCKED}"


def test_a_refused_code_from_the_command_line_is_filled_in(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    screen = open_session(LaunchRequest(study=study.folder, code="Z")).sign_in_screen()
    assert screen.code.text() == "Z"
    assert screen.error_banner.sentence == unknown_code_text("Z")


@pytest.fixture
def with_reviewer(study: SmallStudy) -> SmallStudy:
    with open_study(study.folder, clock=AdjustableClock()) as store:
        add_person(store, "R", roles=[Role.REVIEWER])
    return study


def test_a_single_role_need_not_be_chosen(
    with_reviewer: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    session = open_session(LaunchRequest(study=with_reviewer.folder))
    assert session.sign_in_screen().roles[Role.LABELER].isChecked()
    assert "R · reviewer" in session.sign_in("R").person.text()


def test_a_role_that_was_chosen_and_isnt_held_is_refused(
    with_reviewer: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    session = open_session(LaunchRequest(study=with_reviewer.folder))
    screen = session.sign_in_screen()
    session.click(screen.roles[Role.LABELER])
    session.type_in("R")
    session.press(Qt.Key.Key_Return)
    session.wait(screen.error_banner.isVisible)
    assert "doesn't have the role labeler" in screen.error_banner.sentence


def test_started_for_a_reviewer_the_window_goes_to_their_home(
    with_reviewer: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    session = open_session(LaunchRequest(study=with_reviewer.folder, code="R"))
    assert "R · reviewer" in session.home().person.text()


def test_each_person_finds_the_docks_as_they_left_them(at_work: WindowSession) -> None:
    """A moves a dock and opens another; B sees neither; A finds both so again."""
    first = _areas(at_work)
    _dock(at_work, "taxonomy").show()
    at_work.screen.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, _dock(at_work, "class"))
    moved = _areas(at_work)
    assert moved != first
    _change_person(at_work, "B")
    at_work.begin()
    assert _areas(at_work) == first
    _change_person(at_work, "A")
    at_work.begin()
    assert _areas(at_work) == moved


def test_docks_have_the_same_share_of_a_window_of_another_size(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    before = _shares(at_work)
    _change_person(at_work, "B")
    at_work.window.resize(1800, 1000)
    _change_person(at_work, "A")
    at_work.begin()
    at_work.qtbot.waitUntil(lambda: _shares(at_work) == pytest.approx(before, abs=0.04))


def _shares(session: WindowSession) -> list[float]:
    """How wide and how high the class is within the screen."""
    screen, a_class = session.screen, _dock(session, "class")
    return [a_class.width() / screen.width(), a_class.height() / screen.height()]


def _dock(session: WindowSession, name: str) -> QDockWidget:
    dock = session.screen.findChild(QDockWidget, name)
    assert isinstance(dock, QDockWidget)
    return dock


def _areas(session: WindowSession) -> dict[str, tuple[Qt.DockWidgetArea, bool]]:
    docks = session.screen.findChildren(QDockWidget)
    return {d.objectName(): (session.screen.dockWidgetArea(d), d.isHidden()) for d in docks}
