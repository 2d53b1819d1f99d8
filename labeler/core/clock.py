"""Time as the program needs it: a monotonic clock for durations, UTC stamps as anchors."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Where every time in the program comes from."""

    def monotonic_ms(self) -> int:
        """Milliseconds since some fixed moment; never jumps."""
        ...

    def utc(self) -> datetime:
        """The wall clock's time, which may jump: an anchor, never a duration."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def utc(self) -> datetime:
        return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """A UTC moment as the program writes it: `2026-03-01T09:30:00.125Z`."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"
