"""One trial gets one answer, the right one, whatever a hand does to the keyboard and the mouse."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.ui.labeling.finish_screen import FinishScreen
from labeler.ui.window.workers import Workers
from tests.gui.held_runner import HeldRunner
from tests.gui.small_study import BEAVER, MARMOT, TIGER, TRIALS
from tests.gui.window_session import CONTROL, WindowSession

# The screenless platform says so of every menu.
pytestmark = pytest.mark.qt_log_ignore(
    "This plugin does not support raise", "This plugin does not support grabbing the keyboard"
)
RETURN = Qt.Key.Key_Return


def at_a_fresh_second_trial(session: WindowSession) -> bool:
    """Whether the second trial is open and nothing has been chosen in it."""
    session.wait_for_trial(2)
    session.wait_until_written()
    QApplication.processEvents()
    return session.position == 2 and session.chosen is None


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_return_held_down_chooses_and_does_not_submit(at_work: WindowSession, key: Qt.Key) -> None:
    at_work.type_in("beaver")
    at_work.hold(key)
    at_work.wait_until_written()
    assert (at_work.position, at_work.chosen) == (1, BEAVER)
    assert at_work.study.labels() == []
    at_work.hold(key)
    assert at_a_fresh_second_trial(at_work)
    at_work.repeat(key)  # it is still held down when the next image is there
    assert at_a_fresh_second_trial(at_work)
    assert at_work.study.labels() == [(1, BEAVER)]


def test_the_submit_key_held_down_submits_once(at_work: WindowSession) -> None:
    at_work.choose("beaver")
    at_work.hold(RETURN, CONTROL)
    assert at_a_fresh_second_trial(at_work)
    at_work.choose("marmot")
    at_work.repeat(RETURN, CONTROL)
    at_work.wait_until_written()
    assert at_work.position == 2
    assert at_work.study.labels() == [(1, BEAVER)]


def test_return_pressed_many_times_answers_one_trial(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    at_work.press(RETURN, times=9)
    assert at_a_fresh_second_trial(at_work)
    at_work.press(RETURN, times=3)
    at_work.press(RETURN, CONTROL, times=3)
    assert at_a_fresh_second_trial(at_work)
    assert any("No class is chosen yet." in text for text in at_work.texts())
    assert at_work.study.labels() == [(1, BEAVER)]


def test_a_double_click_on_submit_submits_once(at_work: WindowSession) -> None:
    at_work.choose("beaver")
    at_work.double_click(at_work.screen.answer.submit)
    assert at_a_fresh_second_trial(at_work)
    at_work.double_click(at_work.screen.answer.submit)  # a slow one, onto the next image
    assert at_a_fresh_second_trial(at_work)
    assert at_work.study.labels() == [(1, BEAVER)]


def test_a_double_click_on_a_result_chooses_and_return_submits(at_work: WindowSession) -> None:
    results = at_work.tools.finder.results
    at_work.type_in("beaver")
    at_work.double_click(results.viewport(), results.visualRect(results.model().index(0, 0)))
    assert at_work.chosen == BEAVER
    assert at_work.study.labels() == []
    at_work.press(RETURN, times=2)
    assert at_a_fresh_second_trial(at_work)
    assert at_work.study.labels() == [(1, BEAVER)]


def test_return_held_down_in_the_taxonomy_chooses_and_does_not_submit(
    at_work: WindowSession,
) -> None:
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_Right)
    assert at_work.tools.taxonomy.tree.hasFocus()
    at_work.hold(RETURN)
    at_work.wait_until_written()
    assert (at_work.position, at_work.chosen) == (1, BEAVER)
    assert at_work.study.labels() == []
    at_work.hold(RETURN)
    assert at_a_fresh_second_trial(at_work)
    assert at_work.study.labels() == [(1, BEAVER)]


def test_return_held_down_in_the_comparison_chooses_and_does_not_submit(
    at_work: WindowSession,
) -> None:
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_S, CONTROL)
    at_work.press(Qt.Key.Key_K, CONTROL)
    at_work.hold(RETURN)
    at_work.wait_until_written()
    assert (at_work.position, at_work.chosen) == (1, BEAVER)
    assert at_work.study.labels() == []


def test_return_in_the_flag_menu_flags_and_answers_nothing(at_work: WindowSession) -> None:
    at_work.choose("beaver")
    at_work.press(Qt.Key.Key_F9)
    at_work.hold(RETURN)
    assert at_a_fresh_second_trial(at_work)
    assert at_work.study.labels() == []


@pytest.fixture
def decoding(qapp: QApplication) -> HeldRunner:
    return HeldRunner()


@pytest.fixture
def unhurried(open_session: Callable[..., WindowSession], decoding: HeldRunner) -> WindowSession:
    """Labeler A at the first trial, with images that come when the test lets them."""
    session = open_session(workers=Workers(decoding=decoding))
    session.sign_in()
    session.begin()
    return session


def test_nothing_is_answered_while_the_image_loads(
    unhurried: WindowSession, decoding: HeldRunner
) -> None:
    unhurried.choose("beaver")
    decoding.hold = True
    unhurried.press(RETURN)
    unhurried.wait(lambda: unhurried.position == 2)
    unhurried.wait(lambda: unhurried.workbench.view.stage is WorkbenchStage.TRIAL)
    assert unhurried.workbench.view.image is None
    unhurried.type_in("marmot")
    unhurried.press(RETURN, times=3)
    unhurried.press(RETURN, CONTROL)
    unhurried.wait_until_written()
    assert (unhurried.position, unhurried.chosen) == (2, None)
    decoding.let_go()
    assert at_a_fresh_second_trial(unhurried)
    assert unhurried.field.text() == "marmot", "what was typed meanwhile is there"
    unhurried.press(RETURN, times=2)
    unhurried.wait_for_trial(3)
    assert unhurried.study.labels() == [(1, BEAVER), (2, MARMOT)]


def test_typing_on_while_the_answer_is_being_stored_never_changes_it(
    at_work: WindowSession,
) -> None:
    at_work.choose("beaver")
    at_work.press(RETURN)
    assert at_work.workbench.view.stage is WorkbenchStage.STORING
    at_work.type_in("tiger")
    at_work.press(RETURN, times=2)
    assert at_a_fresh_second_trial(at_work)
    assert at_work.study.labels() == [(1, BEAVER)]


def test_at_the_end_return_neither_answers_nor_locks(at_work: WindowSession) -> None:
    for _ in range(TRIALS - 1):
        at_work.answer("tiger")
    at_work.choose("beaver")
    at_work.hold(RETURN)
    at_work.wait_for(FinishScreen)
    for _ in range(4):
        at_work.hold(RETURN)
        at_work.wait_until_written()
        at_work.wait(lambda: QApplication.focusWidget() is not None)
    assert at_work.study.labels() == [*((n, TIGER) for n in range(1, TRIALS)), (TRIALS, BEAVER)]
    assert at_work.study.read("SELECT count(*) FROM trial WHERE locked_at IS NOT NULL") == [(0,)]


def test_the_recent_key_held_down_chooses_once(at_work: WindowSession) -> None:
    at_work.answer("beaver")
    at_work.hold(Qt.Key.Key_1, CONTROL)
    at_work.wait_until_written()
    assert (at_work.position, at_work.chosen) == (2, BEAVER)
    assert at_work.study.labels() == [(1, BEAVER)]
