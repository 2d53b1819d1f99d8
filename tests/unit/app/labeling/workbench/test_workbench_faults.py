"""Crashes, full disks and locks at the workbench: no answer is lost, and what happened is told."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from labeler.app.labeling.workbench import SAVE_INTERVAL_MS
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.phases import lock_phase
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.labeling.workbench.workbench_sitting import DOG, FISH, Sitting, named


def test_after_a_crash_the_same_trial_comes_with_its_time(
    sitting: Sitting, sit_down: Callable[[], Sitting]
) -> None:
    sitting.answer(FISH)
    sitting.bench.choose(DOG)
    sitting.bench.set_note("a dog, surely")
    sitting.bench.remember(shortlist=(FISH,), query="fi")
    for _ in range(SAVE_INTERVAL_MS // 1_000 + 1):
        sitting.clock.go_on(milliseconds=1_000)
        sitting.bench.tick()
    while sitting.runner.tickets:
        sitting.runner.finish_all()
    again = sit_down().begin()
    assert again.position == 2
    assert again.view.answer.label == named(DOG)
    assert again.view.answer.note == "a dog, surely"
    assert again.bench.trial is not None
    assert again.bench.trial.shortlist == (FISH,)
    assert again.bench.trial.active_ms >= SAVE_INTERVAL_MS
    assert "Your answer and your time so far are kept" in again.view.notice


def test_a_trial_that_was_only_looked_at_is_not_said_to_have_an_answer(
    sitting: Sitting, sit_down: Callable[[], Sitting]
) -> None:
    sitting.answer(FISH)
    sitting.clock.go_on(milliseconds=3_000)
    sitting.bench.leave()
    while sitting.runner.tickets:
        sitting.runner.finish_all()
    again = sit_down().begin()
    assert again.position == 2
    assert again.bench.trial is not None
    assert again.bench.trial.active_ms >= 3_000, "it was left half done"
    assert again.view.notice == ""


def test_an_answer_that_cannot_be_stored_stays_until_it_can(
    sitting: Sitting, evaluated: StudyStore
) -> None:
    database = evaluated.folder.path / "study.db"
    sitting.work()
    blocker = sqlite3.connect(database, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    sitting.bench.choose(FISH)
    sitting.runner.tickets.clear()  # the draft's turn never comes
    sitting.bench.submit()
    sitting.runner.finish_all()
    assert sitting.view.stage is WorkbenchStage.NOT_STORED
    assert (sitting.position, sitting.view.answer.label) == (1, named(FISH))
    assert sitting.view.trouble.endswith(".")
    blocker.execute("ROLLBACK")
    blocker.close()
    sitting.clock.go_on(milliseconds=6_000)
    sitting.bench.tick()
    sitting.work()
    assert [row[:3] for row in sitting.stored()] == [(1, 1, FISH)]
    assert sitting.position == 2


def test_no_trouble_with_a_draft_hides_that_an_answer_waits(
    sit_down: Callable[[], Sitting], evaluated: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labeler.store.engine.database.SHORT_TIMEOUT_SECONDS", 0)
    sitting = sit_down().begin()
    sitting.answer(FISH)
    sitting.bench.back()
    sitting.work()
    sitting.bench.next_trial()
    sitting.work()
    with closing(sqlite3.connect(evaluated.folder.database, isolation_level=None)) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        sitting.bench.choose(DOG)
        sitting.bench.back()
        sitting.bench.painted(sitting.view.trial.trial_id)
        sitting.bench.choose(DOG)
        sitting.bench.submit()
        sitting.work()  # the answer's turn comes before that of the draft of the trial left
    assert sitting.view.stage is WorkbenchStage.NOT_STORED
    assert "safe in a journal" in sitting.view.trouble


def test_when_the_evaluation_is_locked_meanwhile_the_labeler_is_told(
    sitting: Sitting, evaluated: StudyStore
) -> None:
    lock_phase(evaluated, Phase.EVALUATE, unfinished=True)
    sitting.answer(FISH)
    assert sitting.view.stage is WorkbenchStage.NOT_STORED
    assert "isn't open" in sitting.view.trouble
    assert sitting.stored() == []


def test_who_cannot_begin_is_told_why(healthy: Path, clock: AdjustableClock) -> None:
    with open_study(healthy, clock=clock) as store:
        sitting = Sitting(store, clock).begin()
    assert sitting.view.stage is WorkbenchStage.STOPPED
    assert sitting.view.trouble == "The evaluation isn't open yet: ask the lead to open it."
