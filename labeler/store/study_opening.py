"""Create and open studies: never partly created, never opened by a program that is too old."""

import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import URL

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault, InputError, RefusedError, os_error_reason
from labeler.core.folder_access import set_access, shared_group
from labeler.store.engine.database import Database, server_url, sqlite_url
from labeler.store.engine.migrations import is_empty, needs_upgrade, upgrade
from labeler.store.study.backups import (
    BackupReason,
    apply_retention,
    back_up,
    backups,
    changed_since_backup,
)
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, create_database


def create_study(
    path: Path,
    *,
    name: str,
    seed: int,
    taxonomy: Taxonomy,
    guide: Path,
    program_version: str,
    clock: Clock,
    server: str | None = None,
    group: str | None = None,
) -> StudyStore:
    """Create a study in a new or empty folder, with its own copy of the guide.

    It is built in a temporary folder and moved when complete. `server` is the address of an empty
    PostgreSQL database for a study that several machines share. Only the owner can read the
    folder, unless a `group` of the system is given, or an existing folder is shared with one.
    """
    _require_free_path(path)
    try:
        with _temporary_study_folder(path) as folder:
            _copy_folder(guide, folder.guide)
            if server is not None:
                _write_server_file(folder, server)
            create_database(
                _database_url(folder),
                name=name,
                seed=seed,
                taxonomy=taxonomy,
                program_version=program_version,
                clock=clock,
            )
            shared = shared_group(path) if path.is_dir() else None
            _restrict_access(folder.path, shared if group is None else group)
            _move_into_place(folder, path)
            if group is not None or shared is None:
                _restrict_access(path, group)
    except OSError as error:
        reason = os_error_reason(error)
        raise EnvironmentFault(f"The study can't be created at '{path}': {reason}") from error
    return StudyStore(StudyFolder(path), Database(_database_url(StudyFolder(path))), clock)


@contextmanager
def joining_study(path: Path, address: str, *, clock: Clock) -> Iterator[StudyStore]:
    """Yield the study on a server as a new folder of this machine has it.

    The folder is built aside and gets its place if the block succeeds. Only its owner can read it.
    """
    _require_free_path(path)
    try:
        with _temporary_study_folder(path) as folder:
            _write_server_file(folder, address)
            with _open_on_server(folder, clock) as store:
                # Without a folder there is no guide to edit; its pages come from the server.
                folder.guide.mkdir()
                yield store
            shared = shared_group(path) if path.is_dir() else None
            _restrict_access(folder.path, shared)
            _move_into_place(folder, path)
    except OSError as error:
        reason = os_error_reason(error)
        raise EnvironmentFault(f"The study can't be joined at '{path}': {reason}") from error


def _open_on_server(folder: StudyFolder, clock: Clock) -> StudyStore:
    database = Database(_database_url(folder))
    try:
        if is_empty(database):
            raise RefusedError(
                f"There is no study in the database {database.address}. Check the address with "
                "the study's lead.",
                by_command="`labeler new FOLDER --database ADDRESS` creates a study there.",
            )
        if needs_upgrade(database):
            raise RefusedError(
                "The study was written by an older labeler. Ask its lead to open it with this "
                "version first, or install the version that the lead uses."
            )
    except BaseException:
        database.close()
        raise
    return StudyStore(folder, database, clock)


@contextmanager
def staged_study(path: Path) -> Iterator[Path]:
    """Yield a folder to build a complete study in; it becomes `path` if the work succeeds."""
    _require_free_path(path)
    try:
        with _temporary_study_folder(path) as folder:
            yield folder.path
            shared = shared_group(path) if path.is_dir() else None
            if shared is not None:
                _restrict_access(folder.path, shared)
            _move_into_place(folder, path)
    except OSError as error:
        reason = os_error_reason(error)
        raise EnvironmentFault(f"The study can't be created at '{path}': {reason}") from error


def open_study(path: Path, *, clock: Clock) -> StudyStore:
    """Open a study; an older one is backed up and upgraded first, a newer one is refused."""
    folder = StudyFolder(path)
    folder.require()
    database = Database(_database_url(folder))
    try:
        _upgrade_if_needed(folder, database, clock)
    except BaseException:
        database.close()
        raise
    return StudyStore(folder, database, clock)


def back_up_if_changed(store: StudyStore, *, apart: timedelta = timedelta()) -> bool:
    """Make a backup if something changed, and delete old backups by the retention rule.

    No backup is made within `apart` of the last one, so that a script of many commands makes few.
    """
    store.database.require_in_place()
    if not store.database.is_sqlite or not changed_since_backup(store.folder):
        return False
    now = store.clock.utc()
    existing = backups(store.folder)
    if existing and now - existing[0].made_at < apart:
        return False
    back_up(store.folder, now=now, reason=BackupReason.AUTOMATIC)
    apply_retention(store.folder, now=now)
    return True


def _upgrade_if_needed(folder: StudyFolder, database: Database, clock: Clock) -> None:
    if needs_upgrade(database):
        if database.is_sqlite:
            back_up(folder, now=clock.utc(), reason=BackupReason.BEFORE_UPGRADE)
        upgrade(database)


def _restrict_access(folder: Path, group: str | int | None) -> None:
    try:
        set_access(folder, group)
    except EnvironmentFault:
        # Some drives have no permissions, and a shared folder may belong to someone else.
        if group is not None:
            raise


def _require_free_path(path: Path) -> None:
    if StudyFolder(path).exists():
        raise RefusedError(f"'{path}' already contains a study. Choose another folder.")
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise RefusedError(f"'{path}' exists and isn't an empty folder. Choose another folder.")


@contextmanager
def _temporary_study_folder(path: Path) -> Iterator[StudyFolder]:
    """Yield a folder to build in, on the same disk as the target; deleted afterwards."""
    # An existing empty folder is kept: it may be shared or a mount point.
    parent = path if path.is_dir() else path.parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent, prefix=f".{path.name}-") as temporary:
        folder = StudyFolder(Path(temporary, "study"))
        folder.path.mkdir()
        yield folder


def _copy_folder(pages: Path, to: Path) -> None:
    """Copy a folder and stop at the first error, unlike `copytree`, which continues."""
    to.mkdir()
    for entry in sorted(pages.iterdir()):
        if entry.is_dir():
            _copy_folder(entry, to / entry.name)
        else:
            shutil.copy2(entry, to / entry.name)


def _move_into_place(built: StudyFolder, path: Path) -> None:
    if not path.is_dir():
        built.path.rename(path)
        return
    # The files that make the folder a study are moved last, so that no one opens it half complete.
    last = (built.database, built.server)
    for part in sorted(built.path.iterdir(), key=lambda part: part in last):
        part.rename(path / part.name)


def _write_server_file(folder: StudyFolder, address: str) -> None:
    server_url(address)
    quoted = address.replace("\\", "\\\\").replace('"', '\\"')
    text = f'# The address of the database.\naddress = "{quoted}"\n'
    folder.server.write_text(text, encoding="utf-8")


def _database_url(folder: StudyFolder) -> URL:
    if not folder.server.is_file():
        return sqlite_url(folder.database)
    try:
        document = tomllib.loads(folder.server.read_text(encoding="utf-8"))
        return server_url(str(document["address"]))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError) as error:
        problem = 'this file must contain one line: address = "postgresql://user@host/database".'
        raise InputError(problem, file=folder.server) from error
