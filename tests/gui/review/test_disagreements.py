"""Settling disagreements at the real window: by reviewers, by the lead, then resolving."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from labeler.app.keymap import Action
from labeler.app.review.disagreements import NO_DISAGREEMENTS
from labeler.app.review.plan import PlanSettings
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.phases import lock_phase
from labeler.core.study.entities import Role, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.ui.review.disagreements_screen import DisagreementsScreen
from labeler.ui.review.reviewers_screen import ReviewersScreen
from tests.adjustable_clock import AdjustableClock
from tests.gui.reviewing import put_into_review
from tests.gui.small_study import HAMSTER, TRIALS, SmallStudy
from tests.gui.window_session import CONTROL, WindowSession
from tests.unit.store.review.conftest import open_session as open_review_session

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def study(study: SmallStudy, tmp_path: Path) -> SmallStudy:
    """R and S judged everything, and differ on the hamster; the verdicts are frozen."""
    request = PlanSettings(stage=Stage.FINAL, seed=5, overlap=2)
    put_into_review(study, tmp_path / "answers", request=request)
    with open_study(study.folder, clock=AdjustableClock()) as store:
        for code, hamster in (("R", Verdict.CORRECT), ("S", Verdict.WRONG)):
            session = open_review_session(store, code, Stage.FINAL)
            session.judge_all(lambda wnid, said=hamster: said if wnid == HAMSTER else Verdict.WRONG)
        lock_phase(store, Phase.REVIEW)
    return study


def come_in(session: WindowSession, code: str, role: Role) -> DisagreementsScreen:
    screen = session.sign_in_screen()
    screen.code.selectAll()
    session.type_in(code)
    session.click(screen.roles[role])
    session.press(Qt.Key.Key_Return)
    button = session.home().cards[HomeCardKind.REVIEW].button
    assert button is not None
    session.click(button)
    found = session.wait_for(DisagreementsScreen)
    assert isinstance(found, DisagreementsScreen)
    return found


def enter(session: WindowSession, code: str, role: Role) -> DisagreementsScreen:
    found = come_in(session, code, role)
    session.wait(lambda: len(found._view.rows) == TRIALS)
    return found


def test_a_reviewer_sees_what_was_said_without_names_and_changes_their_mind(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "R", Role.REVIEWER)
    assert screen._view.rows[0].path == "1 correct · 1 wrong"
    session.press(Qt.Key.Key_F12)
    assert not screen.resolve.isVisible(), "figures and the resolution are the lead's"
    assert not any(text in ("R", "S") for text in session.texts())
    session.press(Qt.Key.Key_2)
    session.wait(lambda: screen._view.open == TRIALS - 1)
    rows = study.read("SELECT verdict, revision FROM review WHERE discussed")
    assert rows == [("wrong", 2)]
    assert screen._view.rows[0].path.startswith("2 wrong (before the discussion: 1 correct · 1 w")


def test_a_key_pressed_before_the_one_before_is_stored_settles_nothing(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "R", Role.REVIEWER)
    screen._presenter.settle(Verdict.WRONG)
    screen._presenter.settle(Verdict.UNCLEAR)
    session.wait(lambda: screen._view.open == TRIALS - 1)
    screen._presenter.settle(Verdict.WRONG)
    session.wait(lambda: screen._view.open == TRIALS - 2)
    rows = study.read("SELECT verdict, revision FROM review WHERE discussed")
    assert rows == [("wrong", 2), ("wrong", 2)]


def test_no_button_stands_in_a_row_by_itself(
    open_session: Callable[..., WindowSession],
) -> None:
    screen = enter(open_session(), "R", Role.REVIEWER)
    home = screen.bar.buttons[Action.GO_HOME]
    level = [b for b in screen.bar.buttons.values() if b.isVisible() and b.y() == home.y()]
    assert len([b for b in level if b.parentWidget() is home.parentWidget()]) > 1


def test_a_reviewer_takes_a_change_of_mind_back_and_the_history_stays(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "R", Role.REVIEWER)
    undo = screen.bar.buttons[Action.UNDO_VERDICT]
    assert not undo.isEnabled()
    settled = screen._view.focused
    session.press(Qt.Key.Key_2)
    session.wait(lambda: screen._view.open == TRIALS - 1)
    session.click(undo)
    session.wait(lambda: screen._view.open == TRIALS)
    assert screen._view.focused == settled
    assert screen._view.rows[settled].path == "1 correct · 1 wrong"
    assert not undo.isEnabled()
    rows = study.read(
        "SELECT verdict, revision, discussed FROM review WHERE revision > 1 ORDER BY revision"
    )
    assert rows == [("wrong", 2, 1), ("correct", 3, 0)]


def test_what_was_taken_back_is_undecided_at_the_next_sitting_too(
    open_session: Callable[..., WindowSession],
) -> None:
    session = open_session()
    screen = enter(session, "R", Role.REVIEWER)
    for decided in (1, 2):
        session.press(Qt.Key.Key_Return)
        session.wait(lambda decided=decided: screen._view.decided == decided)
    session.press(Qt.Key.Key_Z, CONTROL)
    session.wait(lambda: screen._view.decided == 1)
    session.press(Qt.Key.Key_Q, CONTROL)
    again = enter(open_session(), "R", Role.REVIEWER)
    assert again._view.decided == 1


def test_a_second_change_of_mind_is_taken_back_to_the_first(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "R", Role.REVIEWER)
    settled = screen._view.focused
    for key in (Qt.Key.Key_3, Qt.Key.Key_2):
        screen._presenter.focus(settled)
        session.press(key)
        session.wait(lambda: screen._view.focused != settled)
    session.press(Qt.Key.Key_Z, CONTROL)
    session.wait(lambda: screen._view.focused == settled)
    assert screen._view.decided == 1
    rows = study.read("SELECT verdict, discussed FROM review WHERE revision > 1 ORDER BY revision")
    assert rows == [("unclear", 1), ("wrong", 1), ("unclear", 1)]


def test_the_lead_takes_the_groups_verdict_back(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "L", Role.LEAD)
    for left in (TRIALS - 1, TRIALS - 2):
        session.press(Qt.Key.Key_1)
        session.wait(lambda left=left: screen._view.open == left)
    for left in (TRIALS - 1, TRIALS):
        session.press(Qt.Key.Key_Z, CONTROL)
        session.wait(lambda left=left: screen._view.open == left)
    session.press(Qt.Key.Key_Z, CONTROL)
    assert study.read("SELECT withdrawn, count(*) FROM adjudication GROUP BY 1") == [(0, 2), (1, 2)]
    with open_study(study.folder, clock=AdjustableClock()) as store, store.read() as read:
        standing = read.review.verdicts.latest()
        assert read.review.verdicts.adjudicated(standing) == {}


def test_the_lead_records_the_groups_verdict_and_resolves(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "L", Role.LEAD)
    for left in range(TRIALS - 1, -1, -1):
        session.press(Qt.Key.Key_1)
        session.wait(lambda left=left: screen._view.open == left)
    assert len(study.read("SELECT * FROM adjudication")) == TRIALS
    session.click(screen.resolve)
    reviewers = session.wait_for(ReviewersScreen)
    assert isinstance(reviewers, ReviewersScreen)
    session.wait(lambda: reviewers._view.outcome.startswith("Would give"))
    reviewers.resolution.rule.setCurrentText("Adjudicated")
    session.wait(lambda: f"{TRIALS} correct" in reviewers._view.outcome)
    session.press(Qt.Key.Key_Return, CONTROL)
    session.wait(lambda: reviewers._view.outcome.startswith("Resolved"))
    rows = study.read("SELECT count(*) FROM multilabel WHERE state = 'correct'")
    assert rows == [(TRIALS,)]
    session.press(Qt.Key.Key_W, CONTROL)
    session.home()


def test_a_reviewer_stays_with_a_verdict_by_one_key_and_is_not_asked_again(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "R", Role.REVIEWER)
    kept = screen._view.focused
    session.press(Qt.Key.Key_Return)
    session.wait(lambda: screen._view.decided == 1)
    assert screen._view.rows[kept].path.endswith("You have decided.")
    assert screen._view.focused != kept
    assert screen._view.open == TRIALS, "the others still differ"
    rows = study.read("SELECT verdict, revision FROM review WHERE discussed")
    assert rows == [("correct", 2)]
    session.press(Qt.Key.Key_Z, CONTROL)
    session.wait(lambda: screen._view.decided == 0)


def test_the_lead_keeps_nothing_and_finds_the_way_home(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "L", Role.LEAD)
    assert not screen.bar.buttons[Action.KEEP_VERDICT].isVisible()
    session.press(Qt.Key.Key_Return)
    session.wait_until_written()
    assert study.read("SELECT count(*) FROM adjudication") == [(0,)]
    session.click(screen.bar.buttons[Action.GO_HOME])
    session.home()


def test_where_nobody_differs_the_screen_says_so_and_leads_on(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    with closing(sqlite3.connect(study.database)) as database, database:
        database.execute("UPDATE review SET verdict = 'wrong'")
    session = open_session()
    screen = come_in(session, "L", Role.LEAD)
    session.wait(screen.nothing.isVisible)
    assert NO_DISAGREEMENTS in screen.nothing.sentence.text()
    session.press(Qt.Key.Key_Return)
    session.wait_for(ReviewersScreen)


def test_a_reviewer_gives_the_reason_of_a_verdict(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "R", Role.REVIEWER)
    session.click(screen.reason)
    session.type_in("12 toes")
    session.press(Qt.Key.Key_Return)
    session.press(Qt.Key.Key_2)
    session.wait(lambda: screen._view.open == TRIALS - 1)
    assert study.read("SELECT note FROM review WHERE discussed") == [("12 toes",)]
    assert study.read("SELECT DISTINCT note FROM review WHERE NOT discussed") == [("",)]


def test_the_lead_gives_the_reason_of_a_decision(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    session = open_session()
    screen = enter(session, "L", Role.LEAD)
    session.click(screen.reason)
    session.type_in("12 toes")
    assert study.read("SELECT count(*) FROM adjudication") == [(0,)], "typed digits are no verdicts"
    session.press(Qt.Key.Key_Return)
    session.press(Qt.Key.Key_2)
    session.wait(lambda: screen._view.open == TRIALS - 1)
    assert screen.reason.text() == ""
    session.press(Qt.Key.Key_2)
    session.wait(lambda: screen._view.open == TRIALS - 2)
    assert study.read("SELECT note FROM adjudication ORDER BY note") == [("",), ("12 toes",)]


def test_looking_at_a_disagreement_counts_as_a_sight(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    seen = (
        "SELECT count(*) FROM exposure e JOIN participant p ON p.id = e.participant_id "
        "WHERE p.code = 'L'"
    )
    session = open_session()
    screen = enter(session, "L", Role.LEAD)
    session.wait(lambda: study.read(seen) == [(1,)])
    session.press(Qt.Key.Key_Down)
    session.wait(lambda: study.read(seen) == [(2,)])
    assert screen._view.open == TRIALS, "nothing was decided"
