"""Times as a person would say them."""

from datetime import UTC, datetime, timedelta

import pytest

from labeler.app.time_text import UNDER_A_MINUTE_LEFT, format_ago, format_duration, format_time_left

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "under a minute"),
        (59, "under a minute"),
        (60, "1 min"),
        (3_599, "59 min"),
        (3_600, "1 h"),
        (3_725, "1 h 2 min"),
        (129_600, "36 h"),
    ],
)
def test_a_duration_is_said_in_hours_and_minutes(seconds: int, said: str) -> None:
    assert format_duration(seconds * 1000) == said


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=-30), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=12), "12 min ago"),
        (timedelta(hours=23, minutes=59), "23 h ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=9), "9 days ago"),
    ],
)
def test_a_moment_is_said_by_its_distance(passed: timedelta, said: str) -> None:
    assert format_ago(NOW - passed, now=NOW) == said


def test_what_is_left_is_rounded_to_minutes() -> None:
    assert format_time_left(20_000) == UNDER_A_MINUTE_LEFT
    assert format_time_left(100_000) == "about 2 min left"
