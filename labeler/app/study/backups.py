"""The backups of a study for its lead: when and why each was made, and what it holds."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from labeler.core.clock import Clock
from labeler.store.engine.integrity_check import DatabaseFaultKind, find_database_faults
from labeler.store.study.backups import (
    Backup,
    BackupReason,
    StudyContents,
    backups,
    find_backup,
    read_study_contents,
    restore,
)
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import back_up_if_changed
from labeler.store.study_store import StudyStore

BACKUP_INTERVAL_MINUTES = 30


class AutomaticBackups:
    """Makes a backup every half hour if something has changed."""

    def __init__(
        self,
        store: StudyStore,
        clock: Clock,
        *,
        every_minutes: int = BACKUP_INTERVAL_MINUTES,
        due_at_once: bool = False,
    ) -> None:
        """With `due_at_once` the first tick makes one, as none was made on opening the study."""
        self._store = store
        self._clock = clock
        self._every_ms = every_minutes * 60_000
        self._last_ms = clock.monotonic_ms() - (self._every_ms if due_at_once else 0)

    def tick(self) -> bool:
        """Make a backup if one is due, and return whether it was made."""
        now = self._clock.monotonic_ms()
        if now - self._last_ms < self._every_ms:
            return False
        self._last_ms = now
        return back_up_if_changed(self._store)


# Counting the contents of a large file takes a moment, and there may be dozens of files.
_SMALL = 16_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupSummary:
    """A backup; `holds` is None if it is unreadable, or too large to count for a list."""

    name: str
    made_at: datetime
    reason: BackupReason | None
    byte_count: int
    holds: StudyContents | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupComparison:
    """What a backup holds and what the study holds now; None if it can't be read."""

    made_at: datetime
    then: StudyContents | None
    now: StudyContents | None


def list_backup_summaries(folder: StudyFolder) -> tuple[BackupSummary, ...]:
    """Return all backups, newest first."""
    return tuple(map(_summary, backups(folder)))


def compare_backup(folder: StudyFolder, name: str) -> BackupComparison:
    chosen = find_backup(folder, name)
    return BackupComparison(
        made_at=chosen.made_at,
        then=read_study_contents(chosen.path),
        now=read_study_contents(folder.database),
    )


def _summary(backup: Backup) -> BackupSummary:
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
    # A backup never changes once it is made, so the cache stays valid.
    return read_study_contents(file)


@dataclass(frozen=True, slots=True)
class RestorableStudy:
    """A study whose file is damaged, and the backups that can replace it, newest first."""

    folder: Path
    backups: tuple[BackupSummary, ...]


def find_restorable_study(path: Path) -> RestorableStudy | None:
    """Return the study if its file is damaged and there are backups, else None."""
    folder = StudyFolder(path)
    if not folder.database.is_file() or not _is_damaged(folder.database):
        return None
    found = list_backup_summaries(folder)
    return RestorableStudy(path, found) if found else None


def restore_study(folder: StudyFolder, name: str, *, now: datetime) -> str:
    """Restore the backup, and return a message that says where the replaced file is kept."""
    made_at = find_backup(folder, name).made_at
    replaced = restore(folder, name, now=now)
    return restored_text(made_at, replaced)


def restored_text(made_at: datetime, replaced: Path) -> str:
    return (
        f"Restored the study as of {made_at.astimezone():%Y-%m-%d at %H:%M}. The replaced file "
        f"is kept as {replaced.parent.name}/{replaced.name}."
    )


def _is_damaged(database: Path) -> bool:
    if read_study_contents(database) is None:
        return True
    return any(fault.kind is DatabaseFaultKind.DAMAGED for fault in find_database_faults(database))
