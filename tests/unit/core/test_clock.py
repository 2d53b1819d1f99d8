"""Stamps are UTC with milliseconds, and durations come from a clock that never goes back."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from labeler.core.clock import SystemClock, stamp


@pytest.mark.parametrize(
    ("microsecond", "written"),
    [(0, "000"), (999, "000"), (1_000, "001"), (125_400, "125"), (999_999, "999")],
)
def test_a_stamp_has_three_digits_of_milliseconds_and_never_rounds_up(
    microsecond: int, written: str
) -> None:
    moment = datetime(2026, 3, 1, 9, 30, 0, microsecond, tzinfo=UTC)

    assert stamp(moment) == f"2026-03-01T09:30:00.{written}Z"


def test_a_stamp_is_utc_wherever_the_moment_was_reported() -> None:
    moment = datetime(2026, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=2)))

    assert stamp(moment) == "2025-12-31T22:30:00.000Z"


def test_stamps_sort_as_the_moments_do() -> None:
    moments = [
        datetime(2026, 3, 1, tzinfo=UTC) + timedelta(milliseconds=n) for n in range(0, 4000, 7)
    ]

    assert sorted(stamp(moment) for moment in reversed(moments)) == [stamp(m) for m in moments]


def test_the_systems_clock_runs_forward_and_tells_utc() -> None:
    clock = SystemClock()
    readings = [clock.monotonic_ms() for _ in range(100)]

    assert readings == sorted(readings)
    assert clock.utc().utcoffset() == timedelta(0)
