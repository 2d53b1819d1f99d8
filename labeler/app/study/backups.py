"""The backups of a study for its lead: when and why each was made, and what it holds."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import dropwhile
from pathlib import Path

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.core.clock import Clock
from labeler.core.errors import LabelerError
from labeler.store.engine.integrity_check import DatabaseFaultKind
from labeler.store.study.backups import (
    Backup,
    BackupReason,
    StudyContents,
    backups,
    count_decisions,
    find_backup,
    is_sound,
    read_study_contents,
    restore,
)
from labeler.store.study.contents_check import find_damage
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import back_up_if_changed, open_study
from labeler.store.study_store import StudyStore

BACKUP_INTERVAL_MINUTES = 10
BACKUP_INTERVAL_DECISIONS = 50


class AutomaticBackups:
    """Makes a backup every ten minutes or 50 decisions, whichever comes first.

    Nothing is backed up twice; answers and verdicts of other windows count as well.
    """

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
        self._decisions = self._count()

    def tick(self) -> bool:
        """Make a backup if one is due, and return whether it was made."""
        self._store.database.require_in_place()
        now, decisions = self._clock.monotonic_ms(), self._count()
        made = decisions - self._decisions
        if now - self._last_ms < self._every_ms and made < BACKUP_INTERVAL_DECISIONS:
            return False
        self._last_ms, self._decisions = now, decisions
        return back_up_if_changed(self._store)

    def _count(self) -> int:
        return count_decisions(self._store.folder) if self._store.database.is_sqlite else 0


NO_STUDY = "The database contains no study."
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
    """A study whose file is damaged, and the backups that can replace it.

    The first backup is the newest one that was found sound; older ones aren't verified until one
    is restored. `damage` is a sentence.
    """

    folder: Path
    backups: tuple[BackupSummary, ...]
    damage: str

    @property
    def sentence(self) -> str:
        """The damage, and which backup can replace the file."""
        when = f"{self.backups[0].made_at.astimezone():%Y-%m-%d at %H:%M}"
        return f"The study didn't open. {self.damage} Restore a backup: the newest is of {when}."


def find_restorable_study(path: Path) -> RestorableStudy | None:
    """Return the study if its file is damaged and there is a sound backup, else None."""
    folder = StudyFolder(path)
    if not folder.database.is_file():
        return None
    damage = _find_first_damage(folder.database)
    sound = list(dropwhile(lambda backup: not is_sound(backup), backups(folder)))
    if not damage or not sound:
        return None
    return RestorableStudy(path, tuple(map(_summary, sound)), damage)


def restore_study(folder: StudyFolder, name: str, *, clock: Clock) -> str:
    """Restore the backup, and return a message that says where the replaced file is kept."""
    made_at = find_backup(folder, name).made_at
    return restored_text(made_at, restore_backup(folder, name, clock=clock))


def restore_backup(folder: StudyFolder, name: str, *, clock: Clock) -> Path:
    """Restore the backup, and return where the replaced file is kept.

    Reference images that were prepared since then are removed, and those of then prepared again.
    """
    replaced = restore(folder, name, now=clock.utc())
    # Without its datasets' files the study is restored all the same; the check reports the rest.
    with suppress(LabelerError), open_study(folder.path, clock=clock) as store:
        prepare_sheets(store)
    return replaced


def restored_text(made_at: datetime, replaced: Path) -> str:
    return (
        f"Restored the study as of {made_at.astimezone():%Y-%m-%d at %H:%M}. The replaced file "
        f"is kept as {replaced.parent.name}/{replaced.name}."
    )


def _find_first_damage(database: Path) -> str:
    """Return a sentence about the damage, or an empty text."""
    faults = (f.sentence for f in find_damage(database) if f.kind is DatabaseFaultKind.DAMAGED)
    found = next(faults, "")
    return found or (NO_STUDY if read_study_contents(database) is None else "")
