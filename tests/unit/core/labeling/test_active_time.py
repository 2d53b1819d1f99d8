"""What of a labeler's attention counts as active time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import (
    IDLE_AFTER_MS,
    AttentionInterval,
    active_ms,
    by_place,
    idle_ms,
    wall_ms,
)
from labeler.core.study.entities import AttentionPlace

IMAGE, SEARCH, GUIDE = AttentionPlace.IMAGE, AttentionPlace.SEARCH, AttentionPlace.GUIDE
MINUTE = 60_000


@st.composite
def recordings(draw: st.DrawFn) -> list[AttentionInterval]:
    """Intervals in order, some touching and some apart, some of no length."""
    moment = draw(st.integers(0, 50))
    intervals = []
    for place in draw(st.lists(st.sampled_from(AttentionPlace), max_size=6)):
        started = moment + draw(st.sampled_from([0, 0, 1, 30]))
        ended = started + draw(st.integers(0, 40))
        inputs = draw(st.lists(st.integers(started, ended), max_size=4).map(sorted))
        intervals.append(AttentionInterval(place, started, ended, tuple(inputs)))
        moment = ended
    return intervals


thresholds = st.integers(1, 60)


def test_no_attention_takes_no_time() -> None:
    assert active_ms([], idle_after_ms=1) == idle_ms([], idle_after_ms=1) == wall_ms([]) == 0


def test_a_stare_counts_up_to_the_threshold_and_never_for_nothing() -> None:
    stare = [AttentionInterval(IMAGE, 0, 10 * MINUTE)]
    assert active_ms(stare, idle_after_ms=IDLE_AFTER_MS) == 2 * MINUTE
    assert idle_ms(stare, idle_after_ms=IDLE_AFTER_MS) == 8 * MINUTE


def test_forty_minutes_with_an_input_each_minute_all_count() -> None:
    inputs = tuple(range(0, 40 * MINUTE, MINUTE))
    appearance = [AttentionInterval(IMAGE, 0, 40 * MINUTE, inputs)]
    assert active_ms(appearance, idle_after_ms=IDLE_AFTER_MS) == 40 * MINUTE


def test_forty_minutes_with_one_input_count_two_thresholds() -> None:
    appearance = [AttentionInterval(IMAGE, 0, 40 * MINUTE, (20 * MINUTE,))]
    assert active_ms(appearance, idle_after_ms=IDLE_AFTER_MS) == 4 * MINUTE


def test_an_input_carries_over_when_attention_moves_without_a_gap() -> None:
    moved = [AttentionInterval(IMAGE, 0, 100, (40,)), AttentionInterval(SEARCH, 100, 300)]
    assert by_place(moved, idle_after_ms=90)[IMAGE] == 100
    assert by_place(moved, idle_after_ms=90)[SEARCH] == 30


def test_moving_attention_is_no_input_by_itself() -> None:
    moved = [
        AttentionInterval(IMAGE, 0, 100),
        AttentionInterval(SEARCH, 100, 200),
        AttentionInterval(GUIDE, 200, 300),
    ]
    assert active_ms(moved, idle_after_ms=50) == 50


def test_coming_back_after_a_gap_counts_as_an_input() -> None:
    returned = [AttentionInterval(IMAGE, 0, 100), AttentionInterval(IMAGE, 101, 200)]
    assert active_ms(returned, idle_after_ms=50) == 100


def test_a_gap_counts_as_wall_time_only() -> None:
    apart = [AttentionInterval(IMAGE, 0, 10), AttentionInterval(IMAGE, 1000, 1010)]
    assert wall_ms(apart) == 1010
    assert active_ms(apart, idle_after_ms=50) == 20
    assert idle_ms(apart, idle_after_ms=50) == 0


def test_an_interval_of_no_length_counts_nothing_but_hands_its_input_on() -> None:
    chain = [
        AttentionInterval(IMAGE, 0, 90),
        AttentionInterval(SEARCH, 90, 90, (90,)),
        AttentionInterval(GUIDE, 90, 150),
    ]
    assert by_place(chain, idle_after_ms=50) == {
        **dict.fromkeys(AttentionPlace, 0),
        IMAGE: 50,
        GUIDE: 50,
    }


@pytest.mark.parametrize(
    ("started", "ended", "inputs"), [(5, 4, ()), (0, 9, (10,)), (3, 9, (2,)), (0, 9, (5, 4))]
)
def test_an_interval_whose_moments_are_out_of_order_is_a_defect(
    started: int, ended: int, inputs: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="out of order"):
        AttentionInterval(IMAGE, started, ended, inputs)


def test_overlapping_intervals_are_a_defect() -> None:
    with pytest.raises(ValueError, match="overlap"):
        active_ms(
            [AttentionInterval(IMAGE, 0, 10), AttentionInterval(SEARCH, 9, 12)], idle_after_ms=5
        )


def test_a_threshold_of_nothing_is_refused() -> None:
    with pytest.raises(RefusedError, match="at least one millisecond"):
        active_ms([AttentionInterval(IMAGE, 0, 10)], idle_after_ms=0)


@given(recordings(), thresholds)
def test_places_sum_to_the_active_time_and_with_idle_time_to_all_attention(
    intervals: list[AttentionInterval], threshold: int
) -> None:
    active = active_ms(intervals, idle_after_ms=threshold)
    assert sum(by_place(intervals, idle_after_ms=threshold).values()) == active
    attended = sum(interval.length_ms for interval in intervals)
    assert active + idle_ms(intervals, idle_after_ms=threshold) == attended <= wall_ms(intervals)


@given(recordings(), thresholds, thresholds)
def test_a_longer_threshold_never_counts_less(
    intervals: list[AttentionInterval], one: int, other: int
) -> None:
    shorter, longer = sorted((one, other))
    assert active_ms(intervals, idle_after_ms=shorter) <= active_ms(intervals, idle_after_ms=longer)


@given(recordings().filter(lambda intervals: wall_ms(intervals) > 0), thresholds)
def test_attention_is_never_worth_nothing(
    intervals: list[AttentionInterval], threshold: int
) -> None:
    attended = any(interval.length_ms for interval in intervals)
    assert (active_ms(intervals, idle_after_ms=threshold) > 0) == attended


@given(recordings(), thresholds, st.integers(-1000, 1000))
def test_the_clocks_base_does_not_matter(
    intervals: list[AttentionInterval], threshold: int, shift: int
) -> None:
    moved = [
        AttentionInterval(
            i.place, i.started_ms + shift, i.ended_ms + shift, tuple(m + shift for m in i.inputs)
        )
        for i in intervals
    ]
    expected = by_place(intervals, idle_after_ms=threshold)
    assert by_place(moved, idle_after_ms=threshold) == expected
