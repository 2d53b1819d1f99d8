"""Putting a backup in the place of a study that nobody has open."""

from datetime import datetime

from labeler.store.backup import backup_named, restore
from labeler.store.folder import StudyFolder


def put_back(folder: StudyFolder, name: str, *, now: datetime) -> str:
    """Put the backup back, and tell what the study is like now and where the other state lies."""
    made_at = backup_named(folder, name).made_at
    replaced = restore(folder, name, now=now)
    return (
        f"The study is as it was on {made_at.astimezone():%Y-%m-%d at %H:%M}. What was there "
        f"before is kept in {replaced.parent.name}/{replaced.name}."
    )
