"""The lead looks at the reviewers and resolves their verdicts, at the real window."""

import csv
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from labeler.app.review.plan import PlanSettings
from labeler.core.review.resolution import ResolutionRule
from labeler.core.study.entities import Role, Stage, Verdict
from labeler.store.study_opening import open_study
from labeler.ui.review.reviewers_screen import ReviewersScreen
from tests.adjustable_clock import AdjustableClock
from tests.gui.reviewing import put_into_review
from tests.gui.sitting import CONTROL, Sitting
from tests.gui.small_study import HAMSTER, TRIALS, SmallStudy
from tests.unit.store.review.conftest import sit_down as sit_down_to_judge

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def study(study: SmallStudy, tmp_path: Path) -> SmallStudy:
    put_into_review(
        study, tmp_path / "answers", wish=PlanSettings(stage=Stage.FINAL, seed=5, overlap=2)
    )
    return study


@pytest.fixture
def judged(study: SmallStudy) -> SmallStudy:
    """R and S judged everything, and differ on the hamster."""
    with open_study(study.folder, clock=AdjustableClock()) as store:
        for code, hamster in (("R", Verdict.CORRECT), ("S", Verdict.WRONG)):
            sitting = sit_down_to_judge(store, code, Stage.FINAL)
            sitting.judge_all(lambda wnid, said=hamster: said if wnid == HAMSTER else Verdict.WRONG)
    return study


def enter(sitting: Sitting) -> ReviewersScreen:
    screen = sitting.sign_in_screen()
    screen.code.selectAll()
    sitting.type_in("L")
    sitting.click(screen.roles[Role.LEAD])
    sitting.press(Qt.Key.Key_Return)
    sitting.home()
    sitting.press(Qt.Key.Key_F12)
    found = sitting.wait_for(ReviewersScreen)
    assert isinstance(found, ReviewersScreen)
    sitting.wait(lambda: found._view.table is not None)
    return found


def choose(sitting: Sitting, screen: ReviewersScreen, rule: ResolutionRule) -> None:
    rules = screen.resolution.rule
    rules.setCurrentIndex(rules.findData(str(rule)))
    sitting.wait(lambda: screen._view.outcome.startswith("Would give"))


def test_the_lead_sees_how_far_and_how_alike_reviewers_judge(
    judged: SmallStudy, sit_down: Callable[..., Sitting]
) -> None:
    screen = enter(sit_down())
    assert screen._view.table is not None
    rows = {row[0].text: [cell.text for cell in row[1:3]] for row in screen._view.table.rows}
    assert rows == {"R": [str(3 * TRIALS)] * 2, "S": [str(3 * TRIALS)] * 2}
    assert "67%" in screen.summary.text()
    assert "majority of the blind verdicts" in screen.summary.text()


def test_a_rule_says_what_it_would_give_and_writes_nothing_until_it_is_told_to(
    judged: SmallStudy, sit_down: Callable[..., Sitting]
) -> None:
    sitting = sit_down()
    screen = enter(sitting)
    choose(sitting, screen, ResolutionRule.UNANIMOUS)
    assert f"{TRIALS} unclear ({TRIALS} by disagreement)" in screen.resolution.outcome.text()
    assert judged.read("SELECT count(*) FROM multilabel") == [(0,)]
    sitting.press(Qt.Key.Key_Return, CONTROL)
    sitting.wait(lambda: screen._view.outcome.startswith("Recorded"))
    assert judged.read("SELECT rule, unclear FROM resolution") == [("unanimous", TRIALS)]
    assert "as resolved by the rule unanimous" in screen.summary.text()


def test_one_reviewers_verdicts_can_be_taken(
    judged: SmallStudy, sit_down: Callable[..., Sitting]
) -> None:
    sitting = sit_down()
    screen = enter(sitting)
    choose(sitting, screen, ResolutionRule.SINGLE)
    screen.resolution.reviewer.setCurrentText("S")
    sitting.wait(lambda: "0 correct" in screen._view.outcome)
    screen.resolution.reviewer.setCurrentText("R")
    sitting.wait(lambda: f"{TRIALS} correct" in screen._view.outcome)


def test_probabilities_go_to_the_file_that_is_chosen(
    judged: SmallStudy,
    sit_down: Callable[..., Sitting],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "p.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(file), ""))
    sitting = sit_down()
    screen = enter(sitting)
    assert not screen.resolution.with_file.isVisible()
    choose(sitting, screen, ResolutionRule.DAWID_SKENE)
    sitting.click(screen.resolution.with_file)
    sitting.wait(lambda: screen._view.outcome.startswith("Recorded"))
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 3 * TRIALS
    assert all(
        sum(float(row[f"p_{state}"]) for state in ("wrong", "unclear", "correct"))
        == pytest.approx(1, abs=1e-5)
        for row in rows
    )


def test_before_any_verdict_the_plan_is_told_and_nothing_can_be_resolved(
    study: SmallStudy, sit_down: Callable[..., Sitting]
) -> None:
    screen = enter(sit_down())
    assert "Nobody has judged anything yet." in screen.summary.text()
    assert not screen.resolution.resolve.isEnabled()
    assert screen._view.table is not None
    assert [row[1].text for row in screen._view.table.rows] == ["0", "0"]


@pytest.mark.parametrize(("code", "role"), [("R", Role.REVIEWER), ("A", Role.LABELER)])
def test_nobody_but_a_lead_comes_here(
    judged: SmallStudy, sit_down: Callable[..., Sitting], code: str, role: Role
) -> None:
    sitting = sit_down()
    screen = sitting.sign_in_screen()
    screen.code.selectAll()
    sitting.type_in(code)
    sitting.click(screen.roles[role])
    sitting.press(Qt.Key.Key_Return)
    home = sitting.home()
    assert not home.reviewers.isVisible()
    for key in (Qt.Key.Key_F12, Qt.Key.Key_F10):
        sitting.press(key)
    sitting.opened.navigation.show_reviewers()
    assert sitting.home() is home


def test_the_lead_chooses_the_review_where_both_have_verdicts(
    judged: SmallStudy, sit_down: Callable[..., Sitting]
) -> None:
    with closing(sqlite3.connect(judged.database)) as database, database:
        database.execute("UPDATE review SET stage = 'initial' WHERE verdict = 'correct'")
    sitting = sit_down()
    screen = enter(sitting)
    sitting.wait(screen.stage.isVisible)
    assert screen.stage.currentText() == "Final review"
    screen.stage.setCurrentText("Initial review")
    sitting.wait(lambda: screen._view.stage is Stage.INITIAL)
    assert screen._view.confusion is not None
    said = {row[0].text: row[4].text for row in screen._view.confusion.rows if row[1].order == 2}
    assert said == {"R": str(TRIALS)}, "S found nothing correct"
