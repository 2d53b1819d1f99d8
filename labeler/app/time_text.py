"""Durations and times in words."""

from datetime import datetime, timedelta

UNDER_A_MINUTE_LEFT = "less than a minute left"

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def format_duration(milliseconds: int) -> str:
    """`1 h 2 min`, `3 min`, `under a minute`."""
    minutes = milliseconds // (_MINUTE * 1000)
    hours, rest = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {rest} min" if rest else f"{hours:,} h"
    return f"{minutes} min" if minutes else "under a minute"


def format_ago(then: datetime, *, now: datetime) -> str:
    """`just now`, `12 min ago`, `3 h ago`, `5 days ago`."""
    # A clock that was set back must not put a backup into the future.
    seconds = max(now - then, timedelta()) // timedelta(seconds=1)
    if seconds < _MINUTE:
        return "just now"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min ago"
    if seconds < _DAY:
        return f"{seconds // _HOUR} h ago"
    days = seconds // _DAY
    return "1 day ago" if days == 1 else f"{days:,} days ago"


def format_time_left(milliseconds: int) -> str:
    """Return the remaining time: `about 2 min left`, `less than a minute left`."""
    minutes = round(milliseconds / (_MINUTE * 1000))
    return f"about {minutes} min left" if minutes else UNDER_A_MINUTE_LEFT
