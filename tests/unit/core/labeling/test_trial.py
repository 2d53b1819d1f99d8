"""What a labeler can do with a trial, and what time it takes."""

from collections.abc import Callable

import pytest

from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.labeling.answers import TrialDraft, TrialFlag
from labeler.core.labeling.trial import Trial, TrialState
from labeler.core.study.entities import AttentionPlace
from tests.adjustable_clock import AdjustableClock

TENCH, GOLDFISH, SHARK = "n01440764", "n01443537", "n01484850"
IMAGE, SEARCH = AttentionPlace.IMAGE, AttentionPlace.SEARCH


@pytest.fixture
def clock() -> AdjustableClock:
    return AdjustableClock()


@pytest.fixture
def trial(clock: AdjustableClock) -> Trial:
    return Trial(TrialDraft(), clock=clock, session="first")


def pass_alive(clock: AdjustableClock, trial: Trial, *, seconds: int) -> None:
    for _ in range(seconds):
        clock.go_on(seconds=1)
        trial.tick()


def test_a_trial_goes_from_waiting_to_committed(trial: Trial) -> None:
    states = [trial.state]
    trial.shown()
    states.append(trial.state)
    trial.choose(TENCH)
    states.append(trial.state)
    trial.commit()
    states.append(trial.state)
    assert states == list(TrialState)


def test_the_clock_starts_with_the_first_paint_and_stops_at_commit(
    clock: AdjustableClock, trial: Trial
) -> None:
    trial.attend(SEARCH)
    trial.input()
    clock.go_on(seconds=3)
    trial.shown()
    clock.go_on(seconds=4)
    trial.shown()
    trial.input()
    clock.go_on(seconds=1)
    trial.choose(TENCH)
    answer = trial.commit()
    clock.go_on(seconds=9)
    trial.attend(IMAGE)
    assert answer.since == TimeSpent(
        (TrialVisit("first", (AttentionInterval(SEARCH, 3000, 8000, (7000,)),)),), wall_ms=5000
    )
    assert (answer.active_ms, answer.idle_ms, answer.wall_ms) == (5000, 0, 5000)
    assert answer.shown_at == "2026-03-01T09:30:03.000Z"
    assert answer.committed_at == "2026-03-01T09:30:08.000Z"


def test_without_other_news_attention_is_on_the_image(clock: AdjustableClock, trial: Trial) -> None:
    trial.shown()
    clock.go_on(seconds=1)
    assert trial.draft().since.intervals == (AttentionInterval(IMAGE, 0, 1000),)


def test_an_image_painted_behind_another_application_gets_no_attention(
    clock: AdjustableClock, trial: Trial
) -> None:
    trial.leave()
    trial.shown()
    clock.go_on(seconds=5)
    trial.attend(IMAGE)
    clock.go_on(seconds=1)
    trial.choose(TENCH)
    answer = trial.commit()
    assert (answer.active_ms, answer.wall_ms) == (1000, 6000)


def test_forty_minutes_of_staring_count_as_two_and_the_rest_as_idle(
    clock: AdjustableClock, trial: Trial
) -> None:
    trial.shown()
    pass_alive(clock, trial, seconds=40 * 60)
    trial.input()
    trial.choose(TENCH)
    answer = trial.commit()
    assert (answer.active_ms, answer.idle_ms, answer.wall_ms) == (120_000, 2_280_000, 2_400_000)


def test_a_suspend_in_the_middle_counts_as_wall_time_only(
    clock: AdjustableClock, trial: Trial
) -> None:
    trial.shown()
    pass_alive(clock, trial, seconds=10)
    clock.go_on(hours=1)
    pass_alive(clock, trial, seconds=10)
    trial.choose(TENCH)
    answer = trial.commit()
    # The first heartbeat after waking comes a second later; that second belongs to the sleep.
    assert (answer.active_ms, answer.idle_ms, answer.wall_ms) == (19_000, 0, 3_620_000)


def test_setting_the_system_clock_changes_no_duration(clock: AdjustableClock, trial: Trial) -> None:
    trial.shown()
    clock.go_on(seconds=5)
    clock.jump(hours=-3)
    trial.choose(TENCH)
    answer = trial.commit()
    assert (answer.active_ms, answer.wall_ms) == (5000, 5000)


def test_a_pause_covers_the_image_and_stops_the_clock(clock: AdjustableClock, trial: Trial) -> None:
    trial.shown()
    clock.go_on(seconds=1)
    trial.pause()
    trial.pause()
    pass_alive(clock, trial, seconds=60)
    assert trial.paused
    assert trial.state is TrialState.SHOWN
    trial.resume()
    clock.go_on(seconds=1)
    trial.choose(TENCH)
    answer = trial.commit()
    assert (answer.active_ms, answer.idle_ms, answer.wall_ms) == (2000, 0, 62_000)


def test_the_paint_of_the_cover_is_not_the_first_paint(
    clock: AdjustableClock, trial: Trial
) -> None:
    trial.pause()
    trial.shown()
    assert trial.state is TrialState.WAITING
    clock.go_on(seconds=5)
    trial.resume()
    clock.go_on(seconds=1)
    trial.shown()
    clock.go_on(seconds=2)
    assert trial.draft().since.intervals == (AttentionInterval(IMAGE, 6000, 8000),)


def test_everything_the_labeler_said_is_in_the_answer(trial: Trial) -> None:
    trial.shown()
    trial.choose(SHARK)
    trial.choose(TENCH)
    trial.declare_escape_hatch()
    trial.declare_escape_hatch(GOLDFISH)
    trial.declare_escape_hatch()
    trial.set_confidence(2)
    trial.set_note("hidden in the reeds")
    trial.flag(TrialFlag.KNOWN)
    trial.flag(TrialFlag.LATER)
    trial.unflag(TrialFlag.LATER)
    answer = trial.commit()
    assert (answer.label, answer.escape_hatch, answer.alternative) == (TENCH, True, GOLDFISH)
    assert (answer.confidence, answer.note) == (2, "hidden in the reeds")
    assert answer.flags == {TrialFlag.KNOWN}


def test_an_escape_hatch_can_be_taken_back(trial: Trial) -> None:
    trial.shown()
    trial.choose(TENCH)
    trial.declare_escape_hatch(GOLDFISH)
    trial.withdraw_escape_hatch()
    trial.withdraw_escape_hatch()
    answer = trial.commit()
    assert (answer.escape_hatch, answer.alternative) == (False, None)


def test_the_alternative_may_be_the_label(trial: Trial) -> None:
    trial.shown()
    trial.declare_escape_hatch(TENCH)
    trial.choose(TENCH)
    assert trial.commit().alternative == TENCH


def test_an_escape_hatch_without_alternative_is_not_committed(trial: Trial) -> None:
    trial.shown()
    trial.choose(TENCH)
    trial.declare_escape_hatch()
    with pytest.raises(RefusedError, match="needs an alternative"):
        trial.commit()
    assert trial.state is TrialState.ANSWERED


def test_a_refused_commit_leaves_the_clock_running(clock: AdjustableClock, trial: Trial) -> None:
    trial.shown()
    with pytest.raises(RefusedError, match="No class is chosen"):
        trial.commit()
    clock.go_on(seconds=2)
    trial.choose(TENCH)
    assert trial.commit().active_ms == 2000


def test_submitting_twice_gives_one_answer(clock: AdjustableClock, trial: Trial) -> None:
    trial.shown()
    trial.choose(TENCH)
    answer = trial.commit()
    clock.go_on(seconds=1)
    assert trial.commit() is answer
    assert trial.answer is answer


PERSON_DOES: list[Callable[[Trial], object]] = [
    lambda trial: trial.choose(TENCH),
    lambda trial: trial.declare_escape_hatch(TENCH),
    lambda trial: trial.withdraw_escape_hatch(),
    lambda trial: trial.set_confidence(1),
    lambda trial: trial.set_note("late"),
]


@pytest.mark.parametrize("act", [*PERSON_DOES, Trial.commit])
def test_nothing_can_be_answered_before_the_image_is_there(
    trial: Trial, act: Callable[[Trial], object]
) -> None:
    with pytest.raises(RefusedError, match="not on the screen yet"):
        act(trial)


@pytest.mark.parametrize("act", [*PERSON_DOES, Trial.commit])
def test_nothing_can_be_answered_while_the_image_is_covered(
    trial: Trial, act: Callable[[Trial], object]
) -> None:
    trial.shown()
    trial.choose(TENCH)
    trial.pause()
    with pytest.raises(RefusedError, match="paused"):
        act(trial)


@pytest.mark.parametrize("act", [*PERSON_DOES, lambda trial: trial.flag(TrialFlag.LATER)])
def test_a_committed_answer_does_not_change(trial: Trial, act: Callable[[Trial], object]) -> None:
    trial.shown()
    trial.choose(GOLDFISH)
    answer = trial.commit()
    with pytest.raises(RefusedError, match="submitted"):
        act(trial)
    trial.pause()
    trial.resume()
    assert trial.commit() is answer


@pytest.mark.parametrize("level", [0, 6, -1])
def test_confidence_stays_on_its_scale(trial: Trial, level: int) -> None:
    trial.shown()
    with pytest.raises(RefusedError, match="from 1 to 5"):
        trial.set_confidence(level)
    trial.set_confidence(5)
    trial.set_confidence(None)
    assert trial.draft().confidence is None


def test_an_image_that_cannot_be_shown_can_be_flagged(trial: Trial) -> None:
    trial.flag(TrialFlag.NOT_SHOWN)
    assert trial.draft() == TrialDraft(flags=frozenset({TrialFlag.NOT_SHOWN}))
