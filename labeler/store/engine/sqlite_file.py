"""How a study's SQLite file is opened, whether SQLAlchemy is in between or not."""

import os
import shutil
import sqlite3
from pathlib import Path

# SQLite needs at least a file of shared memory next to the database.
_ROOM_FOR_SQLITE = 1 << 16


def is_immutable(file: Path) -> bool:
    """Whether the drive is mounted read-only and no change waits in the log next to the file.

    SQLite writes next to a file even to read it, in case another program changes it. Here no one
    can, and so it may be shown to trust the file as it is.
    """
    try:
        return _is_drive_read_only(file) and not _has_contents(Path(f"{file}-wal"))
    except OSError:
        return False


def is_drive_read_only(file: Path) -> bool:
    """Return whether the file's drive is mounted read-only, as after a fault of the drive."""
    try:
        return _is_drive_read_only(file)
    except OSError:
        return False


def is_disk_full(file: Path) -> bool:
    """Return whether the file's drive has too little room for SQLite's own files."""
    try:
        return shutil.disk_usage(file.parent).free < _ROOM_FOR_SQLITE
    except OSError:
        return False


def is_folder_read_only(file: Path) -> bool:
    """Whether it is there, in a folder where this program can't write."""
    try:
        return file.is_file() and not os.access(file.parent, os.W_OK)
    except OSError:
        return False


def sqlite_uri(file: Path, *, otherwise: str) -> str:
    """The file as SQLite takes it: as it is where it rests, else in the mode that is asked for."""
    way = "immutable=1" if is_immutable(file) else f"mode={otherwise}"
    return f"{file.absolute().as_uri()}?{way}"


def _is_drive_read_only(file: Path) -> bool:
    # Windows can't be asked so.
    return hasattr(os, "statvfs") and bool(os.statvfs(file).f_flag & os.ST_RDONLY)


def _has_contents(log: Path) -> bool:
    return log.exists() and log.stat().st_size > 0


def configure_connection(
    connection: sqlite3.Connection, *, patience: int, key: bytes | None = None
) -> None:
    """Make what is committed durable; `patience` is for other writers, in seconds.

    With a `key`, nothing is written in plain text, and deleted values are overwritten.
    """
    # Python's driver would start transactions by itself, too late for a consistent read.
    connection.isolation_level = None
    if key is not None:
        connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA secure_delete = ON")
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={patience * 1000}",
    ):
        connection.execute(f"PRAGMA {pragma}")
