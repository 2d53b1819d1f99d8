"""Which backups to keep: many recent ones, few old ones, always at least one."""

from collections.abc import Iterable
from datetime import datetime, timedelta

# All of the last day, then the last of each day for a month, then of each week forever.
_EVERY = timedelta(days=1)
_DAILY = timedelta(days=31)


def backups_to_keep(moments: Iterable[datetime], *, now: datetime) -> set[datetime]:
    """Return the backups to keep of those made at these moments."""
    newest_of: dict[tuple[str, object], datetime] = {}
    for moment in moments:
        slot = _slot(moment, now)
        newest_of[slot] = max(moment, newest_of.get(slot, moment))
    return set(newest_of.values())


def _slot(moment: datetime, now: datetime) -> tuple[str, object]:
    age = now - moment
    if age < _EVERY:
        return "each", moment
    if age < _DAILY:
        return "day", moment.date()
    return "week", moment.isocalendar()[:2]
