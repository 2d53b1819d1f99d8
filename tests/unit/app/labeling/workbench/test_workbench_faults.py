"""Crashes, full disks and locks at the workbench: no answer is lost, and what happened is
reported."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from labeler.app.labeling.answer_writer import IN_JOURNAL
from labeler.app.labeling.trial_navigator import SAVE_INTERVAL_MS
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.phases import lock_phase
from labeler.core.study.phases import Phase
from labeler.store.labeling.trial_tasks import EVALUATION_NOT_OPEN
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.labeling.workbench.workbench_driver import DOG, FISH, WorkbenchDriver, named


def test_after_a_crash_the_same_trial_comes_with_its_time(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    driver.answer(FISH)
    driver.bench.choose(DOG)
    driver.bench.set_note("a dog, surely")
    driver.bench.remember(shortlist=(FISH,), query="fi")
    for _ in range(SAVE_INTERVAL_MS // 1_000 + 1):
        driver.clock.go_on(milliseconds=1_000)
        driver.bench.tick()
    while driver.runner.tickets:
        driver.runner.finish_all()
    again = open_session().begin()
    assert again.position == 2
    assert again.view.answer.label == named(DOG)
    assert again.view.answer.note == "a dog, surely"
    assert again.bench.trial is not None
    assert again.bench.trial.draft().shortlist == (FISH,)
    assert again.bench.trial.active_ms >= SAVE_INTERVAL_MS
    assert "Your answer and your time so far are kept" in again.view.notice


def test_a_trial_that_was_only_looked_at_is_not_said_to_have_an_answer(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    driver.answer(FISH)
    driver.clock.go_on(milliseconds=3_000)
    driver.bench.leave()
    while driver.runner.tickets:
        driver.runner.finish_all()
    again = open_session().begin()
    assert again.position == 2
    assert again.bench.trial is not None
    assert again.bench.trial.active_ms >= 3_000, "it was left half done"
    assert again.view.notice == ""


def test_an_answer_that_cannot_be_stored_stays_until_it_can(
    driver: WorkbenchDriver, evaluated: StudyStore
) -> None:
    database = evaluated.folder.path / "study.db"
    driver.work()
    blocker = sqlite3.connect(database, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    driver.bench.choose(FISH)
    driver.runner.tickets.clear()  # the draft's turn never comes
    driver.bench.submit()
    driver.runner.finish_all()
    assert driver.view.stage is WorkbenchStage.NOT_STORED
    assert (driver.position, driver.view.answer.label) == (1, named(FISH))
    assert driver.view.problem.endswith(".")
    blocker.execute("ROLLBACK")
    blocker.close()
    driver.clock.go_on(milliseconds=6_000)
    driver.bench.tick()
    driver.work()
    assert [row[:3] for row in driver.stored()] == [(1, 1, FISH)]
    assert driver.position == 2


def test_no_trouble_with_a_draft_hides_that_an_answer_waits(
    open_session: Callable[[], WorkbenchDriver],
    evaluated: StudyStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("labeler.store.engine.database.SHORT_TIMEOUT_SECONDS", 0)
    driver = open_session().begin()
    driver.answer(FISH)
    driver.flow.back()
    driver.work()
    driver.flow.next_trial()
    driver.work()
    with closing(sqlite3.connect(evaluated.folder.database, isolation_level=None)) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        driver.bench.choose(DOG)
        driver.flow.back()
        driver.bench.painted(driver.view.trial.trial_id)
        driver.bench.choose(DOG)
        driver.bench.submit()
        driver.work()  # the answer's turn comes before that of the draft of the trial left
    assert driver.view.stage is WorkbenchStage.NOT_STORED
    assert IN_JOURNAL in driver.view.problem


def test_locking_the_evaluation_meanwhile_is_reported_to_the_labeler(
    driver: WorkbenchDriver, evaluated: StudyStore
) -> None:
    lock_phase(evaluated, Phase.EVALUATE, unfinished=True)
    driver.answer(FISH)
    assert driver.view.stage is WorkbenchStage.NOT_STORED
    assert "isn't open" in driver.view.problem
    assert driver.stored() == []


def test_a_refused_start_says_why(healthy: Path, clock: AdjustableClock) -> None:
    with open_study(healthy, clock=clock) as store:
        driver = WorkbenchDriver(store, clock).begin()
    assert driver.view.stage is WorkbenchStage.STOPPED
    assert driver.view.problem == EVALUATION_NOT_OPEN
