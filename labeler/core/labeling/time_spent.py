"""The time that a labeler spent on a trial, over all visits to it."""

from dataclasses import dataclass

from labeler.core.labeling.active_time import AttentionInterval, active_ms, by_place, idle_ms
from labeler.core.study.entities import AttentionPlace


@dataclass(frozen=True, slots=True)
class TrialVisit:
    """The intervals of a trial within one session, on that session's monotonic clock.

    Clocks of two sessions have nothing to do with each other, so times are summed by visit.
    """

    session: str
    intervals: tuple[AttentionInterval, ...]


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Visits with their raw intervals, and the wall time from first paint to the end of each.

    Wall time stands beside the intervals, because a pause at a visit's end leaves none.
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
