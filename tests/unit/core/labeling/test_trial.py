"""What a labeler can do with a trial, and what time it takes."""

from collections.abc import Callable

import pytest

from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import (
    IDLE_AFTER_MS,
    AttentionInterval,
    TimeSpent,
    TrialVisit,
)
from labeler.core.labeling.answers import AnswerDraft, Question, TrialFlag
from labeler.core.labeling.trial import (
    COMMITTED,
    NO_ALTERNATIVE,
    NO_CONFIDENCE,
    NO_LABEL,
    NOT_ON_SCREEN,
    PAUSED,
    SAME_CLASS,
    Trial,
    TrialState,
)
from labeler.core.study.entities import AttentionPlace
from tests.adjustable_clock import AdjustableClock

TENCH, GOLDFISH, SHARK = "n01440764", "n01443537", "n01484850"
IMAGE, SEARCH = AttentionPlace.IMAGE, AttentionPlace.SEARCH


@pytest.fixture
def clock() -> AdjustableClock:
    return AdjustableClock()


@pytest.fixture
def trial(clock: AdjustableClock) -> Trial:
    return Trial("t", AnswerDraft(), clock=clock, session="first")


def pass_alive(clock: AdjustableClock, trial: Trial, *, seconds: int) -> None:
    for _ in range(seconds):
        clock.go_on(seconds=1)
        trial.tick()


def idle_ms(trial: Trial) -> int:
    return trial.draft().since.idle_ms(idle_after_ms=IDLE_AFTER_MS)


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
    visits = (TrialVisit("first", (AttentionInterval(SEARCH, 3000, 8000, (7000,)),)),)
    assert answer.visits == visits
    assert trial.draft().since == TimeSpent(visits, wall_ms=5000)
    assert (answer.active_ms, idle_ms(trial), answer.wall_ms) == (5000, 0, 5000)
    assert answer.shown_at == "2026-03-01T09:30:03.000Z"
    assert answer.submitted_at == "2026-03-01T09:30:08.000Z"


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
    assert (answer.active_ms, idle_ms(trial), answer.wall_ms) == (120_000, 2_280_000, 2_400_000)


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
    assert (answer.active_ms, idle_ms(trial), answer.wall_ms) == (19_000, 0, 3_620_000)


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
    assert (answer.active_ms, idle_ms(trial), answer.wall_ms) == (2000, 0, 62_000)


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
    trial.toggle_escape_hatch()
    trial.choose(GOLDFISH)
    trial.set_confidence(2)
    trial.set_note("hidden in the reeds")
    trial.toggle_known()
    answer = trial.commit()
    assert (answer.label, answer.escape_hatch, answer.alternative) == (TENCH, True, GOLDFISH)
    assert (answer.confidence, answer.note) == (2, "hidden in the reeds")
    assert answer.knows_image
    assert (answer.trial_id, answer.session_id) == ("t", "first")


def test_what_was_known_can_be_taken_back(trial: Trial) -> None:
    trial.shown()
    trial.toggle_known()
    trial.toggle_known()
    trial.choose(TENCH)
    assert not trial.commit().knows_image


def test_an_escape_hatch_can_be_taken_back(trial: Trial) -> None:
    trial.shown()
    trial.choose(TENCH)
    trial.toggle_escape_hatch()
    trial.choose(GOLDFISH)
    trial.toggle_escape_hatch()
    answer = trial.commit()
    assert (answer.escape_hatch, answer.alternative) == (False, None)


def test_the_alternative_is_another_class_than_the_label(trial: Trial) -> None:
    trial.shown()
    trial.choose(TENCH)
    trial.toggle_escape_hatch()
    with pytest.raises(RefusedError, match=SAME_CLASS):
        trial.choose(TENCH)
    trial.choose(GOLDFISH)
    trial.choose(GOLDFISH)
    with pytest.raises(RefusedError, match=SAME_CLASS):
        trial.commit()


def test_a_study_that_asks_for_confidence_gets_it(clock: AdjustableClock) -> None:
    trial = Trial("t", AnswerDraft(), clock=clock, session="first", questions=frozenset(Question))
    trial.shown()
    trial.choose(TENCH)
    with pytest.raises(RefusedError, match=NO_CONFIDENCE):
        trial.commit()
    trial.set_confidence(3)
    assert trial.commit().confidence == 3


def test_an_escape_hatch_without_alternative_is_not_committed(trial: Trial) -> None:
    trial.shown()
    trial.choose(TENCH)
    trial.toggle_escape_hatch()
    with pytest.raises(RefusedError, match=NO_ALTERNATIVE):
        trial.commit()
    assert trial.state is TrialState.ANSWERED


def test_a_refused_commit_leaves_the_clock_running(clock: AdjustableClock, trial: Trial) -> None:
    trial.shown()
    with pytest.raises(RefusedError, match=NO_LABEL):
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


PERSON_DOES: list[Callable[[Trial], object]] = [
    lambda trial: trial.choose(TENCH),
    lambda trial: trial.toggle_escape_hatch(),
    lambda trial: trial.set_confidence(1),
    lambda trial: trial.set_note("late"),
]


@pytest.mark.parametrize("act", [*PERSON_DOES, Trial.commit])
def test_nothing_can_be_answered_before_the_image_is_there(
    trial: Trial, act: Callable[[Trial], object]
) -> None:
    with pytest.raises(RefusedError, match=NOT_ON_SCREEN):
        act(trial)


@pytest.mark.parametrize("act", [*PERSON_DOES, Trial.commit])
def test_nothing_can_be_answered_while_the_image_is_covered(
    trial: Trial, act: Callable[[Trial], object]
) -> None:
    trial.shown()
    trial.choose(TENCH)
    trial.pause()
    with pytest.raises(RefusedError, match=PAUSED):
        act(trial)


@pytest.mark.parametrize("act", [*PERSON_DOES, Trial.toggle_known])
def test_a_committed_answer_does_not_change(trial: Trial, act: Callable[[Trial], object]) -> None:
    trial.shown()
    trial.choose(GOLDFISH)
    answer = trial.commit()
    with pytest.raises(RefusedError, match=COMMITTED):
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
    assert trial.draft().confidence == 5
    trial.set_confidence(5)
    assert trial.draft().confidence is None


def test_an_image_that_cannot_be_shown_can_be_declared_known(trial: Trial) -> None:
    trial.toggle_known()
    assert trial.draft() == AnswerDraft(flags=frozenset({TrialFlag.KNOWN}))
    assert trial.is_touched


def test_what_the_class_tools_show_is_kept_with_the_draft(trial: Trial) -> None:
    trial.remember_tools(shortlist=(TENCH, SHARK), query="fin")
    assert (trial.draft().shortlist, trial.draft().query) == ((TENCH, SHARK), "fin")
    assert not trial.is_touched
