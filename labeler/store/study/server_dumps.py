"""Backups of a study on a PostgreSQL server, made by PostgreSQL's own program pg_dump."""

import os
import shutil
import subprocess
from datetime import datetime

from labeler.core.errors import EnvironmentFault, RefusedError, os_error_reason
from labeler.core.folder_access import follow_folder, make_folder
from labeler.store.engine.database import Database
from labeler.store.study.backups import Backup, BackupReason, backup_file_name, find_backup_files
from labeler.store.study.folder import StudyFolder

_SUFFIX = ".dump"
_PROGRAM = "pg_dump"


def server_dumps(folder: StudyFolder) -> list[Backup]:
    """Return the dumps of the study's database that this machine has, newest first."""
    return find_backup_files(folder.backups, f"study-*{_SUFFIX}")


def dump_database(
    folder: StudyFolder, database: Database, *, now: datetime, reason: BackupReason
) -> Backup:
    """Write all tables into a file of the folder for backups, while the study is in use."""
    program = shutil.which(_PROGRAM)
    if program is None:
        raise EnvironmentFault(
            f"The study is on a PostgreSQL server, and its backups are made by {_PROGRAM}, which "
            "isn't installed on this computer. Install PostgreSQL's client programs, or make the "
            f"backup on the server: {_command(database)}"
        )
    path = folder.backups / backup_file_name(now, reason, suffix=_SUFFIX)
    partial = path.with_suffix(".partial")
    try:
        make_folder(folder.backups)
        _run(program, database, str(partial))
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        follow_folder(partial)
        partial.replace(path)
    except OSError as error:
        raise EnvironmentFault(f"The backup couldn't be made: {os_error_reason(error)}") from error
    finally:
        partial.unlink(missing_ok=True)
    return Backup(path, now, path.stat().st_size, reason)


def refuse_restoring(database: Database, backup: Backup) -> RefusedError:
    """Return why labeler doesn't restore a dump: other machines may be working on the study."""
    return RefusedError(
        "A study on a PostgreSQL server is restored by PostgreSQL's own program, when no one works "
        f"on it: pg_restore --clean --if-exists --dbname={database.address} '{backup.path}'"
    )


def _run(program: str, database: Database, file: str) -> None:
    # Without --no-password it would ask a question, and no one may be there to answer.
    options = ("--format=custom", "--no-password", f"--file={file}", f"--dbname={database.address}")
    # The driver's own messages are understood in English only.
    environment = {**os.environ, "LC_MESSAGES": "C"}
    done = subprocess.run(
        [program, *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0].rstrip(".")
        raise EnvironmentFault(
            f"The backup couldn't be made: {reason}. Check the server, and that {_PROGRAM} is at "
            "least as new as it."
        )


def _command(database: Database) -> str:
    return f"{_PROGRAM} --format=custom --file=study{_SUFFIX} {database.address}"
