"""Putting a backup in the place of a study that nobody has open, or that doesn't open any more."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from labeler.app.study.backups import BackupSeen, backups_seen
from labeler.store.engine.integrity_check import FaultKind, database_faults
from labeler.store.study.backup_contents import contents_of
from labeler.store.study.backups import backup_named, restore
from labeler.store.study.folder import StudyFolder


@dataclass(frozen=True, slots=True)
class Mendable:
    """A study whose file is damaged, and the backups that can take its place, newest first."""

    folder: Path
    backups: tuple[BackupSeen, ...]


def mendable(path: Path) -> Mendable | None:
    """The study if a backup would mend it: its file is damaged, and there are backups."""
    folder = StudyFolder(path)
    if not folder.database.is_file() or not _is_damaged(folder.database):
        return None
    found = backups_seen(folder)
    return Mendable(path, found) if found else None


def put_back(folder: StudyFolder, name: str, *, now: datetime) -> str:
    """Put the backup back, and tell what the study is like now and where the other state lies."""
    made_at = backup_named(folder, name).made_at
    replaced = restore(folder, name, now=now)
    return (
        f"The study is as it was on {made_at.astimezone():%Y-%m-%d at %H:%M}. What was there "
        f"before is kept in {replaced.parent.name}/{replaced.name}."
    )


def _is_damaged(database: Path) -> bool:
    if contents_of(database) is None:
        return True
    return any(fault.kind is FaultKind.DAMAGED for fault in database_faults(database))
