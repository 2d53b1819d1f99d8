"""How a study's SQLite file is opened, whether SQLAlchemy stands in between or not."""

import sqlite3
from pathlib import Path


def configure_connection(connection: sqlite3.Connection, *, patience: int) -> None:
    """Make what is committed durable; `patience` is for other writers, in seconds."""
    # Python's driver would start transactions by itself, too late for a consistent read.
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={patience * 1000}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def open_connection(file: Path, *, patience: int) -> sqlite3.Connection:
    """A plain connection to a file that is there, for any thread, one at a time."""
    place = f"{file.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(place, uri=True, check_same_thread=False)
    try:
        configure_connection(connection, patience=patience)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
