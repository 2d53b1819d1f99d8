"""Trials that go on later: after a crash, and after coming back to an answer."""

import pytest

from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.labeling.answers import TrialAnswer, TrialDraft, TrialFlag
from labeler.core.labeling.trial import Trial, TrialState
from labeler.core.study.entities import AttentionPlace
from tests.adjustable_clock import AdjustableClock

TENCH, GOLDFISH = "n01440764", "n01443537"


def stared_at(interval_ms: int, *, at: int = 0) -> AttentionInterval:
    return AttentionInterval(AttentionPlace.IMAGE, at, at + interval_ms)


def first_answer(*, idle_after_ms: int = 120_000) -> TrialAnswer:
    clock = AdjustableClock()
    trial = Trial(TrialDraft(), clock=clock, session="first", idle_after_ms=idle_after_ms)
    trial.shown()
    clock.go_on(seconds=7)
    trial.choose(TENCH)
    trial.declare_escape_hatch(GOLDFISH)
    trial.flag(TrialFlag.LATER)
    return trial.commit()


def test_a_draft_taken_before_a_crash_goes_on_with_its_time_so_far() -> None:
    clock = AdjustableClock()
    crashed = Trial(TrialDraft(), clock=clock, session="first")
    clock.go_on(seconds=50)
    crashed.shown()
    crashed.choose(TENCH)
    crashed.set_note("half a no")
    clock.go_on(seconds=3)
    draft = crashed.draft()

    later = AdjustableClock()
    trial = Trial(draft, clock=later, session="second")
    assert trial.state is TrialState.WAITING
    trial.shown()
    assert trial.state is TrialState.ANSWERED
    later.go_on(seconds=2)
    answer = trial.commit()
    assert answer.since == TimeSpent(
        (
            TrialVisit("first", (stared_at(3000, at=50_000),)),
            TrialVisit("second", (stared_at(2000),)),
        ),
        wall_ms=5000,
    )
    assert (answer.revision, answer.label, answer.note) == (1, TENCH, "half a no")
    assert answer.shown_at == "2026-03-01T09:30:50.000Z"
    assert (answer.active_ms, answer.wall_ms) == (5000, 5000)


def test_coming_back_starts_the_next_revision_from_the_answer() -> None:
    draft = first_answer().reopened()
    assert (draft.revision, draft.label, draft.shown_at) == (2, TENCH, None)
    assert (draft.escape_hatch, draft.alternative) == (True, GOLDFISH)
    assert draft.flags == {TrialFlag.LATER}


def test_the_first_answer_and_its_time_survive_a_second_one() -> None:
    first = first_answer()
    clock = AdjustableClock()
    clock.go_on(minutes=5)
    trial = Trial(first.reopened(), clock=clock, session="first")
    trial.shown()
    clock.go_on(seconds=2)
    trial.choose(GOLDFISH)
    second = trial.commit()
    assert (first.revision, first.label, first.active_ms) == (1, TENCH, 7000)
    assert (second.revision, second.label) == (2, GOLDFISH)
    assert (second.active_ms, second.wall_ms) == (9000, 9000)
    assert second.earlier == first.since
    assert second.since.intervals == (stared_at(2000, at=300_000),)
    assert second.shown_at == "2026-03-01T09:35:00.000Z"


def test_the_draft_of_a_committed_trial_is_what_was_committed() -> None:
    clock = AdjustableClock()
    trial = Trial(TrialDraft(), clock=clock, session="first")
    trial.shown()
    trial.choose(TENCH)
    clock.go_on(seconds=1)
    answer = trial.commit()
    clock.go_on(seconds=5)
    assert trial.draft().revision == 1
    assert trial.draft().since == answer.since


@pytest.mark.parametrize("threshold", [1, 2500, 6999, 7000, 50_000])
def test_another_threshold_applied_later_gives_what_recording_with_it_gives(
    threshold: int,
) -> None:
    recorded_with_it = first_answer(idle_after_ms=threshold)
    recorded_otherwise = first_answer()
    assert recorded_otherwise.since == recorded_with_it.since
    applied_later = recorded_otherwise.since.active_ms(idle_after_ms=threshold)
    assert applied_later == recorded_with_it.active_ms == min(threshold, 7000)
