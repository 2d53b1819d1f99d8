"""Trials that go on later: after a crash, and after coming back to an answer."""

from dataclasses import replace

import pytest

from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.labeling.answers import AnswerDraft
from labeler.core.labeling.trial import Trial, TrialState
from labeler.core.study.entities import AttentionPlace
from tests.adjustable_clock import AdjustableClock

TENCH, GOLDFISH = "n01440764", "n01443537"


def stared_at(interval_ms: int, *, at: int = 0) -> AttentionInterval:
    return AttentionInterval(AttentionPlace.IMAGE, at, at + interval_ms)


def first_trial(*, idle_after_ms: int = 120_000) -> Trial:
    """A trial that has been answered after seven seconds."""
    clock = AdjustableClock()
    trial = Trial("t", AnswerDraft(), clock=clock, session="first", idle_after_ms=idle_after_ms)
    trial.shown()
    clock.go_on(seconds=7)
    trial.choose(TENCH)
    trial.commit()
    return trial


def reopened(trial: Trial) -> AnswerDraft:
    """What the store starts the next revision of a committed trial from."""
    draft = trial.draft()
    spent = draft.earlier + draft.since
    return replace(
        draft, revision=draft.revision + 1, shown_at=None, earlier=spent, since=TimeSpent()
    )


def test_a_draft_taken_before_a_crash_continues_with_its_time_so_far() -> None:
    clock = AdjustableClock()
    crashed = Trial("t", AnswerDraft(), clock=clock, session="first")
    clock.go_on(seconds=50)
    crashed.shown()
    crashed.choose(TENCH)
    crashed.set_note("half a no")
    clock.go_on(seconds=3)
    draft = crashed.draft()

    later = AdjustableClock()
    trial = Trial("t", draft, clock=later, session="second")
    assert trial.state is TrialState.WAITING
    trial.shown()
    assert trial.state is TrialState.ANSWERED
    later.go_on(seconds=2)
    answer = trial.commit()
    assert trial.draft().since == TimeSpent(
        (
            TrialVisit("first", (stared_at(3000, at=50_000),)),
            TrialVisit("second", (stared_at(2000),)),
        ),
        wall_ms=5000,
    )
    assert (answer.label, answer.note) == (TENCH, "half a no")
    assert answer.visits == trial.draft().since.visits
    assert answer.shown_at == "2026-03-01T09:30:50.000Z"
    assert (answer.active_ms, answer.wall_ms) == (5000, 5000)


def test_the_first_answer_and_its_time_survive_a_second_one() -> None:
    before = first_trial()
    first = before.commit()
    clock = AdjustableClock()
    clock.go_on(minutes=5)
    trial = Trial("t", reopened(before), clock=clock, session="first")
    trial.shown()
    clock.go_on(seconds=2)
    trial.choose(GOLDFISH)
    second = trial.commit()
    assert (first.label, first.active_ms) == (TENCH, 7000)
    assert (second.label, second.active_ms, second.wall_ms) == (GOLDFISH, 9000, 9000)
    assert second.answer_id != first.answer_id
    assert (trial.draft().revision, trial.draft().earlier) == (2, before.draft().since)
    assert second.visits == (TrialVisit("first", (stared_at(2000, at=300_000),)),)
    assert second.shown_at == "2026-03-01T09:35:00.000Z"


def test_the_draft_of_a_committed_trial_is_what_was_committed() -> None:
    clock = AdjustableClock()
    trial = Trial("t", AnswerDraft(), clock=clock, session="first")
    trial.shown()
    trial.choose(TENCH)
    clock.go_on(seconds=1)
    answer = trial.commit()
    clock.go_on(seconds=5)
    assert trial.draft().revision == 1
    assert trial.draft().since == TimeSpent(answer.visits, answer.wall_ms)


@pytest.mark.parametrize("threshold", [1, 2500, 6999, 7000, 50_000])
def test_another_threshold_applied_later_gives_what_recording_with_it_gives(
    threshold: int,
) -> None:
    recorded_with_it = first_trial(idle_after_ms=threshold)
    recorded_otherwise = first_trial()
    assert recorded_otherwise.draft().since == recorded_with_it.draft().since
    applied_later = recorded_otherwise.draft().since.active_ms(idle_after_ms=threshold)
    assert applied_later == recorded_with_it.commit().active_ms == min(threshold, 7000)
