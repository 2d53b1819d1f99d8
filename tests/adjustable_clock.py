"""A clock for tests, which is still until it is reported to go on."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


class AdjustableClock:
    """A clock that is still until it is reported to go on."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now
        self._ms = 0

    def monotonic_ms(self) -> int:
        return self._ms

    def utc(self) -> datetime:
        return self._now

    def go_on(self, **duration: float) -> None:
        self.jump(**duration)
        self._ms += timedelta(**duration) // timedelta(milliseconds=1)

    def jump(self, **duration: float) -> None:
        """Someone sets the wall clock; the monotonic one doesn't notice."""
        self._now += timedelta(**duration)
