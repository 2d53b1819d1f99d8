"""Clocks: a monotonic clock for durations, UTC timestamps as anchors."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """The source of every time in the program."""

    def monotonic_ms(self) -> int:
        """Return milliseconds since a fixed moment; never jumps."""
        ...

    def utc(self) -> datetime:
        """Return the wall clock time, which may jump: an anchor, never a duration."""
        ...


class SystemClock:
    """The clocks of the machine."""

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def utc(self) -> datetime:
        return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Format a moment in UTC as the program stores it: `2026-03-01T09:30:00.125Z`."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"
