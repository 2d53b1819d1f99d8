"""Making a study and opening it: never half made, never opened by a program too old for it."""

import shutil
import tempfile
import tomllib
from datetime import timedelta
from pathlib import Path

from sqlalchemy import URL

from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault, InputError, Refused
from labeler.core.taxonomy import Taxonomy
from labeler.store.backup import back_up, backups, changed_since_backup, thin
from labeler.store.database import Database, server_url, sqlite_url
from labeler.store.folder import StudyFolder
from labeler.store.migration import needs_upgrade, upgrade
from labeler.store.study import StudyStore, create_database


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
) -> StudyStore:
    """Make a study in a folder that doesn't exist yet or is empty, with its own copy of the guide.

    It is built beside its place and moved there when it is whole. `server` is the address of an
    empty PostgreSQL database for a study that several machines share.
    """
    _require_room(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as aside:
            folder = StudyFolder(Path(aside, "study"))
            folder.path.mkdir()
            if server is not None:
                folder.server.write_text(_server_file(server), encoding="utf-8")
            create_database(
                folder,
                _url(folder),
                name=name,
                seed=seed,
                taxonomy=taxonomy,
                program_version=program_version,
                clock=clock,
            ).close()
            shutil.copytree(guide, folder.guide)
            _move(folder.path, path)
    except OSError as error:
        raise EnvironmentFault(f"The study can't be made at '{path}': {error.strerror}.") from error
    return StudyStore(StudyFolder(path), Database(_url(StudyFolder(path))), clock)


def open_study(path: Path, *, clock: Clock) -> StudyStore:
    """Open a study; an older one is backed up and upgraded first, a newer one refused."""
    folder = StudyFolder(path)
    if not folder.exists():
        raise Refused(
            f"There is no study at '{path}'. Make one with `labeler new {path}`, "
            "or look at the demo with `labeler demo`."
        )
    database = Database(_url(folder))
    if needs_upgrade(database):
        if database.is_sqlite:
            back_up(folder, now=clock.utc())
        upgrade(database)
    return StudyStore(folder, database, clock)


def back_up_if_changed(store: StudyStore, *, apart: timedelta = timedelta()) -> bool:
    """Make a backup when there is something new to keep, and thin the old ones.

    None is made within `apart` of the last one, so that a script of many commands makes few.
    """
    if not store.database.is_sqlite or not changed_since_backup(store.folder):
        return False
    now = store.clock.utc()
    existing = backups(store.folder)
    if existing and now - existing[0].made_at < apart:
        return False
    back_up(store.folder, now=now)
    thin(store.folder, now=now)
    return True


def _require_room(path: Path) -> None:
    if StudyFolder(path).exists():
        raise Refused(f"'{path}' is a study already. Choose another folder.")
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise Refused(f"'{path}' exists and isn't an empty folder. Choose another place.")


def _move(made: Path, path: Path) -> None:
    if path.is_dir():
        path.rmdir()
    made.rename(path)


def _server_file(address: str) -> str:
    server_url(address)
    quoted = address.replace("\\", "\\\\").replace('"', '\\"')
    return f'# Where this study lies.\naddress = "{quoted}"\n'


def _url(folder: StudyFolder) -> URL:
    if not folder.server.is_file():
        return sqlite_url(folder.database)
    try:
        document = tomllib.loads(folder.server.read_text(encoding="utf-8"))
        return server_url(str(document["address"]))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError) as error:
        problem = 'this file must hold one line: address = "postgresql://user@host/database".'
        raise InputError(problem, file=folder.server) from error
