"""The time in which simulated people work: a clock that goes on when somebody has worked."""

from datetime import UTC, datetime, timedelta

_FIRST_DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)


class SimulatedCalendar:
    """A clock of its own, so that the finished demo is the same on every day it is made."""

    def __init__(self) -> None:
        self._now = _FIRST_DAY
        self._ms = 0

    def monotonic_ms(self) -> int:
        return self._ms

    def utc(self) -> datetime:
        return self._now

    def morning_of(self, day: int) -> None:
        """Go to the morning of a day, counted from the first."""
        self._now = _FIRST_DAY + timedelta(days=day)

    def pass_ms(self, milliseconds: int) -> None:
        self._ms += milliseconds
        self._now += timedelta(milliseconds=milliseconds)
