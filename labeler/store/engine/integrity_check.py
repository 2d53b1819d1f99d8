"""Checks the database file with SQLite itself, since a broken one may not open otherwise."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.store.engine.sqlite_file import is_folder_read_only, sqlite_uri

_MAX_FAULTS = 20
_READ_ONLY = (
    "The database can't be looked at: its drive or folder is read-only. Make it writable for this "
    "account, or copy the study's folder to a place that is and check it there."
)


class DatabaseFaultKind(StrEnum):
    """What can be wrong with a database."""

    DAMAGED = "damaged"
    DANGLING = "dangling"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class DatabaseFault:
    """Something in the database that can't be right."""

    kind: DatabaseFaultKind
    sentence: str


def find_database_faults(file: Path) -> list[DatabaseFault]:
    """What SQLite's own checks find: damaged pages, rows that refer to nothing."""
    try:
        place = sqlite_uri(file, otherwise="rw")
        with closing(sqlite3.connect(place, timeout=60, uri=True)) as connection:
            return [*_find_damage(connection), *_find_dangling_rows(connection)]
    except sqlite3.OperationalError as error:
        if is_folder_read_only(file):
            return [DatabaseFault(DatabaseFaultKind.UNREACHABLE, _READ_ONLY)]
        return [
            DatabaseFault(
                DatabaseFaultKind.UNREACHABLE, f"The database can't be opened now: {error}."
            )
        ]
    except sqlite3.DatabaseError as error:
        return [DatabaseFault(DatabaseFaultKind.DAMAGED, f"The database can't be read: {error}.")]


def _find_damage(connection: sqlite3.Connection) -> Iterator[DatabaseFault]:
    for (line,) in connection.execute(f"PRAGMA integrity_check({_MAX_FAULTS})"):
        if line != "ok":
            yield DatabaseFault(
                DatabaseFaultKind.DAMAGED, f"The database is damaged: {' '.join(line.split())}."
            )


def _find_dangling_rows(connection: sqlite3.Connection) -> Iterator[DatabaseFault]:
    counts: dict[tuple[str, str], int] = {}
    for table, _rowid, parent, _number in connection.execute("PRAGMA foreign_key_check"):
        counts[table, parent] = counts.get((table, parent), 0) + 1
    for (table, parent), count in counts.items():
        rows = "row refers" if count == 1 else "rows refer"
        sentence = f"{count} {rows} from {table} to something in {parent} that isn't there."
        yield DatabaseFault(DatabaseFaultKind.DANGLING, sentence)
