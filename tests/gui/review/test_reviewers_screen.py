"""The lead looks at the reviewers and resolves their verdicts, at the real window."""

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel

from labeler.app.review.plan import PlanSettings
from labeler.app.review.reviewer_statistics import consensus_words
from labeler.app.review.reviewers import NOTHING_JUDGED
from labeler.core.review.dawid_skene import Truth
from labeler.core.study.entities import ResolutionRule, Role, Stage, Verdict
from labeler.store.study_opening import open_study
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from labeler.ui.review.reviewers_screen import ReviewersScreen
from tests.adjustable_clock import AdjustableClock
from tests.gui.reviewing import put_into_review
from tests.gui.small_study import HAMSTER, TRIALS, SmallStudy
from tests.gui.window_session import CONTROL, WindowSession
from tests.unit.store.review.conftest import open_session as open_review_session

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def study(study: SmallStudy, tmp_path: Path) -> SmallStudy:
    put_into_review(
        study, tmp_path / "answers", request=PlanSettings(stage=Stage.FINAL, seed=5, overlap=2)
    )
    return study


@pytest.fixture
def judged(study: SmallStudy) -> SmallStudy:
    """R and S judged everything, and differ on the hamster."""
    with open_study(study.folder, clock=AdjustableClock()) as store:
        for code, hamster in (("R", Verdict.CORRECT), ("S", Verdict.WRONG)):
            session = open_review_session(store, code, Stage.FINAL)
            session.judge_all(lambda wnid, said=hamster: said if wnid == HAMSTER else Verdict.WRONG)
    return study


def enter(session: WindowSession) -> ReviewersScreen:
    screen = session.sign_in_screen()
    screen.code.selectAll()
    session.type_in("L")
    session.click(screen.roles[Role.LEAD])
    session.press(Qt.Key.Key_Return)
    session.home()
    session.press(Qt.Key.Key_F12)
    found = session.wait_for(ReviewersScreen)
    assert isinstance(found, ReviewersScreen)
    session.wait(lambda: found._view.table is not None)
    return found


def choose(session: WindowSession, screen: ReviewersScreen, rule: ResolutionRule) -> None:
    rules = screen.resolution.rule
    rules.setCurrentIndex(rules.findData(str(rule)))
    session.wait(lambda: screen._view.outcome.startswith("Would give"))


def test_the_lead_sees_how_far_and_how_alike_reviewers_judge(
    judged: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    screen = enter(open_session())
    assert screen._view.table is not None
    rows = {row[0].text: [cell.text for cell in row[1:3]] for row in screen._view.table.rows}
    assert rows == {"R": [str(3 * TRIALS)] * 2, "S": [str(3 * TRIALS)] * 2}
    assert "67%" in screen.summary.text()
    assert consensus_words(None) in screen.summary.text()


def test_a_rule_says_what_it_would_give_and_writes_nothing_until_it_is_told_to(
    judged: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    session = open_session()
    screen = enter(session)
    choose(session, screen, ResolutionRule.UNANIMOUS)
    assert f"{TRIALS} unclear ({TRIALS} by disagreement)" in screen.resolution.outcome.text()
    assert judged.read("SELECT count(*) FROM multilabel") == [(0,)]
    session.press(Qt.Key.Key_Return, CONTROL)
    session.wait(lambda: screen._view.outcome.startswith("Resolved"))
    assert judged.read("SELECT rule, unclear FROM resolution") == [("unanimous", TRIALS)]
    assert "resolved by the rule unanimous" in screen.summary.text()


def test_one_reviewers_verdicts_can_be_taken(
    judged: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    session = open_session()
    screen = enter(session)
    choose(session, screen, ResolutionRule.SINGLE)
    screen.resolution.reviewer.setCurrentText("S")
    session.wait(lambda: "0 correct" in screen._view.outcome)
    screen.resolution.reviewer.setCurrentText("R")
    session.wait(lambda: f"{TRIALS} correct" in screen._view.outcome)


def test_probabilities_go_to_the_file_that_is_chosen(
    judged: SmallStudy,
    open_session: Callable[..., WindowSession],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "p.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(file), ""))
    session = open_session()
    screen = enter(session)
    assert not screen.resolution.with_file.isVisible()
    choose(session, screen, ResolutionRule.DAWID_SKENE)
    session.click(screen.resolution.with_file)
    session.wait(lambda: screen._view.outcome.startswith("Resolved"))
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 3 * TRIALS
    assert all(
        sum(float(row[f"p_{state}"]) for state in ("wrong", "unclear", "correct"))
        == pytest.approx(1, abs=1e-5)
        for row in rows
    )


def test_before_any_verdict_the_plan_is_told_and_nothing_can_be_resolved(
    study: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    screen = enter(open_session())
    assert NOTHING_JUDGED in screen.summary.text()
    assert not screen.resolution.resolve.isEnabled()
    assert screen._view.table is not None
    assert [row[1].text for row in screen._view.table.rows] == ["0", "0"]


@pytest.mark.parametrize(("code", "role"), [("R", Role.REVIEWER), ("A", Role.LABELER)])
def test_nobody_but_a_lead_comes_here(
    judged: SmallStudy, open_session: Callable[..., WindowSession], code: str, role: Role
) -> None:
    session = open_session()
    screen = session.sign_in_screen()
    screen.code.selectAll()
    session.type_in(code)
    session.click(screen.roles[role])
    session.press(Qt.Key.Key_Return)
    home = session.home()
    assert not home.reviewers.isVisible()
    for key in (Qt.Key.Key_F12, Qt.Key.Key_F10):
        session.press(key)
    session.navigation.show_reviewers()
    assert session.home() is home


def test_the_lead_chooses_the_review_where_both_have_verdicts(
    judged: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    with closing(sqlite3.connect(judged.database)) as database, database:
        database.execute("UPDATE review SET stage = 'initial' WHERE verdict = 'correct'")
    session = open_session()
    screen = enter(session)
    session.wait(screen.stage.isVisible)
    assert screen.stage.currentText() == "Final review"
    screen.stage.setCurrentText("Initial review")
    session.wait(lambda: screen._view.stage is Stage.INITIAL)
    assert screen._view.table is not None
    judged_by = {row[0].text: row[1].text for row in screen._view.table.rows}
    assert judged_by == {"R": str(TRIALS)}, "S found nothing correct"


def test_the_truth_and_threshold_of_dawid_skene_can_be_chosen(
    judged: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    session = open_session()
    screen = enter(session)
    panel = screen.resolution
    assert not panel.truth.isVisible()
    choose(session, screen, ResolutionRule.DAWID_SKENE)
    assert Truth(panel.truth.currentData()) is Truth.BINARY
    assert panel.threshold.isVisible()
    panel.truth.setCurrentIndex(panel.truth.findData(str(Truth.THREE)))
    session.wait(lambda: screen._view.outcome.startswith("Would give"))
    assert not panel.threshold.isVisible()
    session.press(Qt.Key.Key_Return, CONTROL)
    session.wait(lambda: screen._view.outcome.startswith("Resolved"))
    (settings,) = judged.read("SELECT settings FROM study")[0]
    assert json.loads(settings)["dawid_skene_truth"] == "three"


def test_the_lead_is_asked_before_few_verdicts_are_resolved(
    study: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    with open_study(study.folder, clock=AdjustableClock()) as store:
        presenter = open_review_session(store, "R", Stage.FINAL)
        visit = presenter.visits()[0]
        presenter.say(visit.visit_id, visit.labels[0].wnid, Verdict.CORRECT)
    session = open_session()
    screen = enter(session)
    choose(session, screen, ResolutionRule.MAJORITY)
    session.press(Qt.Key.Key_Return, CONTROL)
    dialog = screen.findChild(ConfirmDialog)
    assert dialog is not None
    assert screen._view.coverage is not None
    counts = screen._view.coverage.sentence()
    assert any(counts in text.text() for text in dialog.findChildren(QLabel))
    assert study.read("SELECT count(*) FROM resolution") == [(0,)]
    session.click(dialog.do)
    session.wait(lambda: screen._view.outcome.startswith("Resolved"))
    assert study.read("SELECT count(*) FROM resolution") == [(1,)]
