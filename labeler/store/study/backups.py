"""Backups of a study's database: made while it is in use, thinned out, and restored."""

import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from labeler.core.errors import (
    DISK_FULL,
    READ_ONLY_DRIVE,
    EnvironmentFault,
    RefusedError,
    os_error_reason,
)
from labeler.core.folder_access import PRIVATE_FILE, PRIVATE_FOLDER, follow_folder, make_folder
from labeler.core.study.backup_retention import backups_to_keep
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.engine.integrity_check import DatabaseFaultKind
from labeler.store.engine.opened_file import stamp_generation
from labeler.store.study.contents_check import find_damage
from labeler.store.study.folder import StudyFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyContents:
    """Counts of people's work and of the setup; an answer that was changed counts once.

    `sample` identifies the sample and is empty without one.
    """

    answers: int
    trained: int
    verdicts: int
    people: int
    datasets: int
    sample: str
    sample_images: int
    states: Mapping[Phase, PhaseState]


def read_study_contents(file: Path) -> StudyContents | None:
    """Return the contents of the file, or None if it can't be read."""
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            return _contents(connection)
    except (sqlite3.Error, ValueError):
        return None


def _contents(connection: sqlite3.Connection) -> StudyContents:
    def count(rows: str) -> int:
        [number] = connection.execute(f"SELECT count(*) FROM {rows}").fetchone()
        return int(number)

    current = "sample WHERE retired_at IS NULL"
    sample = connection.execute(f"SELECT identity FROM {current}").fetchone()
    return StudyContents(
        answers=count("prediction WHERE task = 'evaluate' AND revision = 1"),
        trained=count("prediction WHERE task = 'train' AND revision = 1"),
        verdicts=count("review WHERE revision = 1"),
        people=count("participant WHERE kind = 'human'"),
        datasets=count("dataset"),
        sample="" if sample is None else str(sample[0]),
        sample_images=count(f"sample_image WHERE sample_id IN (SELECT id FROM {current})"),
        states={
            Phase(phase): PhaseState(state)
            for phase, state in connection.execute("SELECT phase, state FROM phase")
        },
    )


_NAME = re.compile(r"study-(\d{8}T\d{6})(\d{3})Z(?:-([a-z-]+))?\.(?:db|dump|partial)")
_TIMESTAMP_FORMAT = "%Y%m%dT%H%M%S"
# Between steps of this many pages other programs can write.
_PAGES_PER_STEP = 4096
# An unfinished copy of this age was interrupted.
_ABANDONED_AFTER = timedelta(days=1)
_NEW_SECONDS = 60
_COPYING = ".copying"
# Tables to which every decision of a person adds a row.
DECISIONS = (
    "prediction",
    "repeated_prediction",
    "problematic",
    "review",
    "repeated_review",
    "review_flag",
    "flag_answer",
    "adjudication",
    "error_review",
    "contains_answer",
    "classify_answer",
    "candidate_rejection",
    "class_review",
    "near_duplicate_verdict",
)
# The setting with a folder outside the study's own, to which every backup is copied.
BACKUP_FOLDER = "backup_folder"


class BackupReason(StrEnum):
    """Why a backup was made, as part of its file name."""

    BY_HAND = "by-hand"
    AUTOMATIC = "automatic"
    BEFORE_REMOVING = "before-removing"
    BEFORE_POOL = "before-pool"
    BEFORE_NAMES = "before-names"
    BEFORE_SAMPLE = "before-sample"
    BEFORE_OPENING = "before-opening"
    BEFORE_LOCKING = "before-locking"
    BEFORE_RESTORING = "before-restoring"
    BEFORE_UPGRADE = "before-upgrade"


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the database at a moment; older backups have no reason."""

    path: Path
    made_at: datetime
    byte_count: int
    reason: BackupReason | None = None

    @property
    def name(self) -> str:
        return self.path.name


def backups(folder: StudyFolder) -> list[Backup]:
    """Return the study's backups, newest first."""
    return find_backup_files(folder.backups, "study-*.db")


def back_up(folder: StudyFolder, *, now: datetime, reason: BackupReason | None = None) -> Backup:
    """Copy the database with SQLite's online backup, even while it is in use."""
    _require_sqlite(folder)
    with _translate_errors():
        make_folder(folder.backups)
        _remove_leftovers(folder.backups)
        path = folder.backups / backup_file_name(now, reason)
        temporary = path.with_suffix(".partial")
        with closing(_connect(folder.database)) as source, closing(_connect(temporary)) as copy:
            # Move pending changes from the log into the file now, so that they don't look like
            # later ones.
            source.execute("PRAGMA wal_checkpoint(PASSIVE)")
            source.backup(copy, pages=_PAGES_PER_STEP)
            copy.execute("PRAGMA journal_mode=DELETE")
            stamp_generation(copy)
        follow_folder(temporary)
        temporary.replace(path)
    made = Backup(path, now, path.stat().st_size, reason)
    _copy_to_second_folder(made)
    return made


def backup_file_name(
    now: datetime, reason: BackupReason | None = None, *, suffix: str = ".db"
) -> str:
    """Return the name of a backup, which says when and why it was made."""
    ending = "" if reason is None else f"-{reason}"
    return f"study-{_file_timestamp(now)}{ending}{suffix}"


def count_decisions(folder: StudyFolder) -> int:
    """Return the number of answers, verdicts, flags and decisions of all kinds and revisions."""
    with _translate_errors(), closing(_connect(folder.database)) as connection:
        return sum(
            int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
            for table in DECISIONS
        )


def _copy_to_second_folder(made: Backup) -> None:
    """Copy the backup to the folder that the lead has set, if any.

    Only a backup by hand fails if the folder can't be written; others must not stop the work.
    """
    second = _second_folder(made.path)
    if second is None:
        return
    try:
        second.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        _copy_access(made.path.parent, second)
        for leftover in second.glob(f"*{_COPYING}"):
            leftover.unlink(missing_ok=True)
        temporary = second / f"{made.name}{_COPYING}"
        _copy_durably(made.path, temporary)
        temporary.replace(second / made.name)
        _apply_retention(second, now=made.made_at)
    except OSError as error:
        if made.reason is BackupReason.BY_HAND:
            raise EnvironmentFault(
                f"The backup was made, but couldn't be copied to '{second}': "
                f"{os_error_reason(error)}"
            ) from error


def _copy_durably(file: Path, to: Path) -> None:
    """Copy a file with its access; it is on the disk before it gets the name of a backup."""
    to.touch(mode=PRIVATE_FILE)
    with file.open("rb") as source, to.open("wb") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(copy.fileno())
    _copy_access(file, to)


def _copy_access(of: Path, to: Path) -> None:
    # Some drives know no access.
    with suppress(PermissionError):
        shutil.copymode(of, to)


def uncopied_to(folder: StudyFolder) -> Path | None:
    """Return the second folder if the newest backup isn't there, or None if all is well."""
    newest = next(iter(backups(folder)), None)
    if newest is None:
        return None
    second = _second_folder(newest.path)
    return None if second is None or (second / newest.name).is_file() else second


def _second_folder(file: Path) -> Path | None:
    """Return where the study's backups are copied to: a folder for this study alone."""
    with closing(_connect(file)) as connection:
        row = connection.execute("SELECT identity, settings FROM study").fetchone()
    if row is None:
        return None
    chosen = json.loads(row[1]).get(BACKUP_FOLDER)
    return Path(chosen) / str(row[0]) if chosen else None


def _remove_leftovers(place: Path) -> None:
    """Delete what backups left that were killed; a backup that is running locks its file."""
    for partial in place.glob("study-*.partial"):
        if not _is_being_written(partial):
            for leftover in (partial, Path(f"{partial}-journal")):
                leftover.unlink(missing_ok=True)


def _is_being_written(partial: Path) -> bool:
    # It isn't locked yet in the moment when it is created.
    if time.time() - partial.stat().st_mtime < _NEW_SECONDS:
        return True
    try:
        with closing(sqlite3.connect(partial, timeout=0)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:
        return False
    return False


def changed_since_backup(folder: StudyFolder) -> bool:
    """Return whether the database was written after the newest backup."""
    existing = backups(folder)
    if not existing:
        return True
    newest = existing[0].path.stat().st_mtime_ns
    return any(_last_write_ns(file) > newest for file in (folder.database, _wal_file(folder)))


def apply_retention(folder: StudyFolder, *, now: datetime) -> list[Backup]:
    """Delete the backups that the retention rule doesn't keep, and return them."""
    return _apply_retention(folder.backups, now=now)


def _apply_retention(place: Path, *, now: datetime) -> list[Backup]:
    existing = find_backup_files(place, "study-*.db")
    keep = backups_to_keep((backup.made_at for backup in existing), now=now)
    deleted = [backup for backup in existing if backup.made_at not in keep]
    deleted += [
        b for b in find_backup_files(place, "study-*.partial") if now - b.made_at > _ABANDONED_AFTER
    ]
    for backup in deleted:
        backup.path.unlink(missing_ok=True)
    return deleted


def restore(folder: StudyFolder, name: str, *, now: datetime) -> Path:
    """Restore a backup; the replaced database is kept in a folder, intact or broken."""
    chosen = find_backup(folder, name)
    _require_sound(chosen.path)
    with _translate_errors():
        _require_unused(folder.database)
        temporary = folder.database.with_suffix(".restoring")
        shutil.copyfile(chosen.path, temporary)
        with closing(_connect(temporary)) as restored:
            stamp_generation(restored)
        follow_folder(temporary)
        replaced = folder.backups / f"replaced-{_file_timestamp(now)}"
        make_folder(replaced)
        for file in (_wal_file(folder), Path(f"{folder.database}-shm"), folder.database):
            if file.exists():
                file.replace(replaced / file.name)
        temporary.replace(folder.database)
    return replaced


def find_backup(folder: StudyFolder, name: str) -> Backup:
    """Return the backup of that name; an unknown name is refused."""
    chosen = next((backup for backup in backups(folder) if backup.name == name), None)
    if chosen is None:
        raise RefusedError(
            f"The study has no backup '{name}'.",
            by_command="List them with `labeler backup STUDY --list`.",
        )
    return chosen


def find_backup_files(place: Path, pattern: str) -> list[Backup]:
    """Return the backups in the folder whose names match, newest first."""
    found = []
    for path in place.glob(pattern):
        match = _NAME.fullmatch(path.name)
        if match:
            seconds = datetime.strptime(match[1], _TIMESTAMP_FORMAT).replace(tzinfo=UTC)
            made_at = seconds.replace(microsecond=int(match[2]) * 1000)
            # A newer program may use other reasons.
            reason = BackupReason(match[3]) if match[3] in set(BackupReason) else None
            found.append(Backup(path, made_at, path.stat().st_size, reason))
    return sorted(found, key=lambda backup: backup.made_at, reverse=True)


def _file_timestamp(moment: datetime) -> str:
    return f"{moment:{_TIMESTAMP_FORMAT}}{moment.microsecond // 1000:03d}Z"


def _wal_file(folder: StudyFolder) -> Path:
    """SQLite's write-ahead log with changes that aren't in the database file yet."""
    return Path(f"{folder.database}-wal")


def _last_write_ns(file: Path) -> int:
    """Return the time of the last write to a file in ns; 0 for an empty or missing file."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return 0
    # A reader can create an empty log.
    return status.st_mtime_ns if status.st_size else 0


def _require_unused(database: Path) -> None:
    """Refuse while another program has the study open, which would write to the old file."""
    try:
        with closing(sqlite3.connect(database, timeout=1)) as connection:
            # The journal mode can only be changed by the sole user of a database.
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        # A broken database, which the backup will replace, fails with other errors.
        if "locked" in str(error):
            raise RefusedError(
                "The study is open in another program or window. Close it there, then restore the "
                "backup."
            ) from error


def _require_sqlite(folder: StudyFolder) -> None:
    folder.require_present()
    if not folder.database.is_file():
        raise RefusedError(
            "This study is on a PostgreSQL server, which has its own backups (pg_dump)."
        )


def _require_sound(file: Path) -> None:
    faults = [f.sentence for f in find_damage(file) if f.kind is not DatabaseFaultKind.DANGLING]
    if not faults and not _holds_study(file):
        faults = ["It contains no study."]
    if faults:
        raise RefusedError(
            f"The backup '{file.name}' is damaged. {faults[0]} Choose another backup."
        )


def is_sound(backup: Backup) -> bool:
    """Return whether everything in the backup can be read."""
    try:
        _require_sound(backup.path)
    except (RefusedError, sqlite3.Error):
        return False
    return True


def _holds_study(file: Path) -> bool:
    with closing(_connect(file)) as connection:
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'study'"
        return connection.execute(query).fetchone() is not None


def _connect(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=60)


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EnvironmentFault(
            f"The backup couldn't be made or restored: {os_error_reason(error)}"
        ) from error
    except sqlite3.Error as error:
        raise EnvironmentFault(
            f"The backup couldn't be made or restored: {_sqlite_reason(error)}"
        ) from error


def _sqlite_reason(error: sqlite3.Error) -> str:
    """Return why SQLite failed and what to do, to append to a message."""
    if "disk is full" in str(error):
        return DISK_FULL
    if "readonly" in str(error):
        return READ_ONLY_DRIVE
    return f"{error}. Check the disk."
