"""How events on the screen become intervals of attention."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from labeler.core.labeling.active_time import (
    AttentionInterval,
    TrialVisit,
    active_ms,
    by_place,
    idle_ms,
)
from labeler.core.labeling.attention_recorder import (
    HEARTBEAT_MS,
    SUSPENDED_AFTER_MS,
    AttentionRecorder,
)
from labeler.core.study.entities import AttentionPlace
from tests.adjustable_clock import AdjustableClock
from tests.unit.core.labeling.attention_by_millisecond import Timeline

IMAGE, SEARCH, GUIDE = AttentionPlace.IMAGE, AttentionPlace.SEARCH, AttentionPlace.GUIDE


@pytest.fixture
def clock() -> AdjustableClock:
    return AdjustableClock()


@pytest.fixture
def recorder(clock: AdjustableClock) -> AttentionRecorder:
    return AttentionRecorder(clock, session="s")


def intervals_of(recorder: AttentionRecorder) -> tuple[AttentionInterval, ...]:
    return tuple(interval for visit in recorder.snapshot() for interval in visit.intervals)


def let_pass(clock: AdjustableClock, recorder: AttentionRecorder, *, seconds: int) -> None:
    """Time in which the program is alive."""
    for _ in range(seconds * 1000 // HEARTBEAT_MS):
        clock.go_on(milliseconds=HEARTBEAT_MS)
        recorder.tick()


def test_nothing_is_recorded_before_the_person_is_somewhere(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.input()
    clock.go_on(seconds=1)
    assert recorder.place is None
    assert recorder.snapshot() == ()


def test_each_place_gets_an_interval_with_its_inputs(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    clock.go_on(milliseconds=300)
    recorder.input()
    clock.go_on(milliseconds=200)
    recorder.attend(SEARCH)
    clock.go_on(milliseconds=100)
    recorder.leave()
    assert intervals_of(recorder) == (
        AttentionInterval(IMAGE, 0, 500, (300,)),
        AttentionInterval(SEARCH, 500, 600),
    )


def test_turning_to_the_same_place_again_starts_no_interval(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    clock.go_on(milliseconds=300)
    recorder.attend(IMAGE)
    clock.go_on(milliseconds=300)
    assert intervals_of(recorder) == (AttentionInterval(IMAGE, 0, 600),)


def test_places_passed_within_a_millisecond_leave_no_trace_but_their_inputs(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    recorder.attend(SEARCH)
    recorder.input()
    recorder.attend(GUIDE)
    clock.go_on(milliseconds=5)
    assert intervals_of(recorder) == (
        AttentionInterval(SEARCH, 0, 0, (0,)),
        AttentionInterval(GUIDE, 0, 5),
    )


def test_a_pause_within_a_pause_is_one_pause(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    clock.go_on(milliseconds=10)
    recorder.pause()
    clock.go_on(milliseconds=10)
    recorder.pause()
    recorder.input()
    clock.go_on(milliseconds=10)
    recorder.resume()
    clock.go_on(milliseconds=10)
    assert intervals_of(recorder) == (
        AttentionInterval(IMAGE, 0, 10),
        AttentionInterval(IMAGE, 30, 40),
    )


def test_after_a_pause_attention_is_where_the_person_turned_meanwhile(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    recorder.pause()
    recorder.attend(GUIDE)
    clock.go_on(milliseconds=10)
    recorder.resume()
    clock.go_on(milliseconds=10)
    assert intervals_of(recorder) == (AttentionInterval(GUIDE, 10, 20),)


def test_resuming_while_another_application_is_in_front_brings_no_attention(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    recorder.pause()
    recorder.leave()
    recorder.resume()
    clock.go_on(milliseconds=10)
    assert not recorder.paused
    assert recorder.snapshot() == ()


def test_time_in_which_the_machine_slept_is_no_attention(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    let_pass(clock, recorder, seconds=20)
    clock.go_on(hours=8)
    recorder.tick()
    let_pass(clock, recorder, seconds=20)
    woke = 20_000 + 8 * 3_600_000
    assert intervals_of(recorder) == (
        AttentionInterval(IMAGE, 0, 20_000),
        AttentionInterval(IMAGE, woke, woke + 20_000),
    )
    assert active_ms(intervals_of(recorder), idle_after_ms=15_000) == 30_000


def test_the_key_that_wakes_the_machine_belongs_to_the_time_after_it(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    clock.go_on(milliseconds=SUSPENDED_AFTER_MS + 1)
    recorder.input()
    clock.go_on(milliseconds=5)
    woke = SUSPENDED_AFTER_MS + 1
    assert intervals_of(recorder) == (AttentionInterval(IMAGE, woke, woke + 5, (woke,)),)


def test_a_heartbeat_that_is_just_in_time_keeps_attention(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    clock.go_on(milliseconds=SUSPENDED_AFTER_MS)
    recorder.tick()
    assert intervals_of(recorder) == (AttentionInterval(IMAGE, 0, SUSPENDED_AFTER_MS),)


def test_a_snapshot_is_no_heartbeat_and_changes_nothing(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    clock.go_on(milliseconds=SUSPENDED_AFTER_MS)
    assert intervals_of(recorder) == (AttentionInterval(IMAGE, 0, SUSPENDED_AFTER_MS),)
    clock.go_on(milliseconds=1)
    assert recorder.snapshot() == recorder.snapshot() == ()


def test_a_change_of_the_system_clock_does_not_matter(
    clock: AdjustableClock, recorder: AttentionRecorder
) -> None:
    recorder.attend(IMAGE)
    clock.go_on(milliseconds=10)
    clock.jump(days=-400)
    recorder.input()
    clock.jump(days=800)
    clock.go_on(milliseconds=10)
    assert intervals_of(recorder) == (AttentionInterval(IMAGE, 0, 20, (10,)),)


def test_a_snapshot_of_an_earlier_session_stays_as_it_is(clock: AdjustableClock) -> None:
    first = AttentionRecorder(clock, session="first")
    clock.go_on(seconds=5)
    first.attend(GUIDE)
    clock.go_on(seconds=1)
    kept = first.snapshot()
    new_base = AdjustableClock()
    second = AttentionRecorder(new_base, session="second", earlier=kept)
    second.attend(IMAGE)
    new_base.go_on(seconds=2)
    assert second.snapshot() == (
        TrialVisit("first", (AttentionInterval(GUIDE, 5000, 6000),)),
        TrialVisit("second", (AttentionInterval(IMAGE, 0, 2000),)),
    )


class RecorderAgainstMilliseconds(RuleBasedStateMachine):
    """Whatever happens, the recorder's intervals say what counting each millisecond says."""

    SUSPENDED_AFTER = 12
    thresholds = (1, 4, 9, 25, 1000)

    def __init__(self) -> None:
        super().__init__()
        self.clock = AdjustableClock()
        self.recorder = AttentionRecorder(
            self.clock, session="s", suspended_after_ms=self.SUSPENDED_AFTER
        )
        self.model = Timeline(suspended_after_ms=self.SUSPENDED_AFTER)

    @rule(ms=st.integers(1, 8))
    def time_passes(self, ms: int) -> None:
        self.clock.go_on(milliseconds=ms)
        self.model.pass_time(ms)

    @rule(seconds=st.integers(-(10**6), 10**6))
    def wall_clock_is_set(self, seconds: int) -> None:
        self.clock.jump(seconds=seconds)

    @rule(ms=st.integers(SUSPENDED_AFTER, 60))
    def machine_sleeps(self, ms: int) -> None:
        self.time_passes(ms)

    @rule(beats=st.integers(1, 6), ms=st.integers(1, SUSPENDED_AFTER))
    def person_stares(self, beats: int, ms: int) -> None:
        for _ in range(beats):
            self.time_passes(ms)
            self.recorder.tick()
            self.model.hear()

    @rule(place=st.sampled_from(AttentionPlace))
    def attend(self, place: AttentionPlace) -> None:
        self.recorder.attend(place)
        self.model.hear()
        self.model.place = place

    @rule()
    def leave(self) -> None:
        self.recorder.leave()
        self.model.hear()
        self.model.place = None

    @rule()
    def input(self) -> None:
        self.recorder.input()
        self.model.hear()
        self.model.input()

    @rule()
    def pause(self) -> None:
        self.recorder.pause()
        self.model.hear()
        self.model.covered = True

    @rule()
    def resume(self) -> None:
        self.recorder.resume()
        self.model.hear()
        self.model.covered = False

    @invariant()
    def every_threshold_gives_what_the_model_counts(self) -> None:
        intervals = intervals_of(self.recorder)
        for threshold in self.thresholds:
            expected = self.model.active(idle_after_ms=threshold)
            assert by_place(intervals, idle_after_ms=threshold) == expected
            active = sum(expected.values())
            idle = idle_ms(intervals, idle_after_ms=threshold)
            assert idle == self.model.attended_ms() - active

    @invariant()
    def no_input_is_lost_or_made_up(self) -> None:
        stamps = [moment for i in intervals_of(self.recorder) for moment in i.inputs]
        assert stamps == self.model.inputs

    @invariant()
    def every_interval_has_length_or_input(self) -> None:
        assert all(i.length_ms or i.inputs for i in intervals_of(self.recorder))


TestRecorderAgainstMilliseconds = RecorderAgainstMilliseconds.TestCase
