"""Putting a backup in the place of a study that nobody has open, or that doesn't open any more."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from labeler.app.study.backups import BackupSummary, list_backup_summaries
from labeler.store.engine.integrity_check import DatabaseFaultKind, find_database_faults
from labeler.store.study.backup_contents import read_study_contents
from labeler.store.study.backups import find_backup, restore
from labeler.store.study.folder import StudyFolder


@dataclass(frozen=True, slots=True)
class RestorableStudy:
    """A study whose file is damaged, and the backups that can take its place, newest first."""

    folder: Path
    backups: tuple[BackupSummary, ...]


def find_restorable_study(path: Path) -> RestorableStudy | None:
    """The study if a backup would mend it: its file is damaged, and there are backups."""
    folder = StudyFolder(path)
    if not folder.database.is_file() or not _is_damaged(folder.database):
        return None
    found = list_backup_summaries(folder)
    return RestorableStudy(path, found) if found else None


def restore_study(folder: StudyFolder, name: str, *, now: datetime) -> str:
    """Put the backup back, and tell what the study is like now and where the other state lies."""
    made_at = find_backup(folder, name).made_at
    replaced = restore(folder, name, now=now)
    return (
        f"The study is as it was on {made_at.astimezone():%Y-%m-%d at %H:%M}. What was there "
        f"before is kept in {replaced.parent.name}/{replaced.name}."
    )


def _is_damaged(database: Path) -> bool:
    if read_study_contents(database) is None:
        return True
    return any(fault.kind is DatabaseFaultKind.DAMAGED for fault in find_database_faults(database))
