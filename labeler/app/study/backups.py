"""The backups as a lead sees them: when and why each was made, and what it holds."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from labeler.store.study.backup_contents import StudyContents, read_study_contents
from labeler.store.study.backups import Backup, BackupReason, backups, find_backup
from labeler.store.study.folder import StudyFolder

# Counting takes a moment in a large file, and there may be dozens of them.
_SMALL = 16_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupSummary:
    """A backup; `holds` is None where it is too large to be counted for a list, or unreadable."""

    name: str
    made_at: datetime
    reason: BackupReason | None
    byte_count: int
    holds: StudyContents | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupComparison:
    """What a backup holds and what the study holds now, each None where it can't be read."""

    made_at: datetime
    then: StudyContents | None
    now: StudyContents | None


def list_backup_summaries(folder: StudyFolder) -> tuple[BackupSummary, ...]:
    """All of them, newest first."""
    return tuple(map(_seen, backups(folder)))


def compare_backup(folder: StudyFolder, name: str) -> BackupComparison:
    chosen = find_backup(folder, name)
    return BackupComparison(
        made_at=chosen.made_at,
        then=read_study_contents(chosen.path),
        now=read_study_contents(folder.database),
    )


def _seen(backup: Backup) -> BackupSummary:
    small = backup.byte_count <= _SMALL
    return BackupSummary(
        name=backup.name,
        made_at=backup.made_at,
        reason=backup.reason,
        byte_count=backup.byte_count,
        holds=_counted(backup.path, backup.byte_count) if small else None,
    )


@lru_cache(maxsize=512)
def _counted(file: Path, _byte_count: int) -> StudyContents | None:
    # Nothing writes to a backup once it is made.
    return read_study_contents(file)
