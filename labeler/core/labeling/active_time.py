"""The active time of a labeler, computed from raw intervals of attention.

The rule. Intervals that touch (one ends at the millisecond at which the next starts) form one
stretch of attention, however often its place changes. A stretch starts with the person being
there, which counts as an input. From each input the time counts until the next input or the end
of the stretch, but never for longer than the idle threshold: a stare counts up to the threshold,
then nothing counts until the next input. Across a gap (a pause, another application, a locked or
sleeping machine) no input carries over, and the gap itself counts for nothing.

Nothing in an interval depends on the threshold, so that any other can be applied later.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from labeler.core.errors import RefusedError
from labeler.core.study.entities import AttentionPlace

IDLE_AFTER_MS = 120_000


@dataclass(frozen=True, slots=True)
class AttentionInterval:
    """Attention to one place, in milliseconds of one session's monotonic clock.

    `inputs` are the moments of every key press, click and turn of the wheel in it, in order.
    """

    place: AttentionPlace
    started_ms: int
    ended_ms: int
    inputs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        moments = (self.started_ms, *self.inputs, self.ended_ms)
        if any(later < earlier for earlier, later in pairwise(moments)):
            raise ValueError(f"an interval's moments are out of order: {moments}")

    @property
    def length_ms(self) -> int:
        return self.ended_ms - self.started_ms

    def touches(self, following: "AttentionInterval") -> bool:
        """Whether attention moved on to the following interval without a gap."""
        return self.ended_ms == following.started_ms


def active_ms(intervals: Sequence[AttentionInterval], *, idle_after_ms: int) -> int:
    """Return the active time of one session's intervals, by the rule above."""
    return sum(counted for _, counted in _counted(intervals, idle_after_ms))


def by_place(
    intervals: Sequence[AttentionInterval], *, idle_after_ms: int
) -> dict[AttentionPlace, int]:
    """Return the active time by place; all places are included, and the sum is `active_ms`."""
    sums = dict.fromkeys(AttentionPlace, 0)
    for interval, counted in _counted(intervals, idle_after_ms):
        sums[interval.place] += counted
    return sums


def idle_ms(intervals: Sequence[AttentionInterval], *, idle_after_ms: int) -> int:
    """Return the time beyond the idle threshold."""
    attended = sum(interval.length_ms for interval in intervals)
    return attended - active_ms(intervals, idle_after_ms=idle_after_ms)


def wall_ms(intervals: Sequence[AttentionInterval]) -> int:
    """Return the time from the start of the first interval to the end of the last one."""
    return intervals[-1].ended_ms - intervals[0].started_ms if intervals else 0


def _counted(
    intervals: Sequence[AttentionInterval], idle_after_ms: int
) -> Iterator[tuple[AttentionInterval, int]]:
    """Yield each interval with its active time."""
    if idle_after_ms < 1:
        raise RefusedError("The idle threshold must be at least one millisecond.")
    previous: AttentionInterval | None = None
    last_input = 0
    for interval in intervals:
        _check_order(previous, interval)
        if previous is None or not previous.touches(interval):
            last_input = interval.started_ms
        yield interval, _counted_in(interval, last_input, idle_after_ms)
        last_input = interval.inputs[-1] if interval.inputs else last_input
        previous = interval


def _counted_in(interval: AttentionInterval, last_input: int, idle_after_ms: int) -> int:
    """Return the active time of one interval, if the last input before it was at `last_input`."""
    counted = 0
    since = interval.started_ms
    for moment in (*interval.inputs, interval.ended_ms):
        counted += max(0, min(moment, last_input + idle_after_ms) - since)
        since = last_input = moment
    return counted


def _check_order(previous: AttentionInterval | None, interval: AttentionInterval) -> None:
    if previous is not None and interval.started_ms < previous.ended_ms:
        raise ValueError(f"intervals overlap or are out of order: {previous}, {interval}")


@dataclass(frozen=True, slots=True)
class TrialVisit:
    """The intervals of a trial within one session, on that session's monotonic clock.

    The clocks of two sessions are unrelated, so times are summed by visit.
    """

    session: str
    intervals: tuple[AttentionInterval, ...]


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Visits with their raw intervals, and the wall time from first paint to the end of each.

    Wall time is stored separately, because a pause at the end of a visit has no interval.
    """

    visits: tuple[TrialVisit, ...] = ()
    wall_ms: int = 0

    def __add__(self, other: "TimeSpent") -> "TimeSpent":
        return TimeSpent(self.visits + other.visits, self.wall_ms + other.wall_ms)

    @property
    def intervals(self) -> tuple[AttentionInterval, ...]:
        """All intervals in the order of the visits, each on the clock of its own session."""
        return tuple(interval for visit in self.visits for interval in visit.intervals)

    def active_ms(self, *, idle_after_ms: int) -> int:
        return sum(active_ms(visit.intervals, idle_after_ms=idle_after_ms) for visit in self.visits)

    def idle_ms(self, *, idle_after_ms: int) -> int:
        return sum(idle_ms(visit.intervals, idle_after_ms=idle_after_ms) for visit in self.visits)

    def by_place(self, *, idle_after_ms: int) -> dict[AttentionPlace, int]:
        sums = dict.fromkeys(AttentionPlace, 0)
        for visit in self.visits:
            counted = by_place(visit.intervals, idle_after_ms=idle_after_ms)
            for place, milliseconds in counted.items():
                sums[place] += milliseconds
        return sums
