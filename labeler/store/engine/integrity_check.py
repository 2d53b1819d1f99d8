"""Is the database itself sound? Asked of SQLite directly, since a broken one may not open."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.store.engine.read_only_drive import may_not_write_beside, place_of

_SHOWN_AT_MOST = 20
_READ_ONLY = (
    "The database can't be looked at: its drive or folder is read-only. Make it writable for this "
    "account, or copy the study's folder to a place that is and check it there."
)


class FaultKind(StrEnum):
    """What can be wrong with a database."""

    DAMAGED = "damaged"
    DANGLING = "dangling"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the database that can't be right."""

    kind: FaultKind
    sentence: str


def database_faults(file: Path) -> list[Fault]:
    """What SQLite's own checks find: damaged pages, rows that refer to nothing."""
    try:
        place = place_of(file, otherwise="rw")
        with closing(sqlite3.connect(place, timeout=60, uri=True)) as connection:
            return [*_damage(connection), *_dangling(connection)]
    except sqlite3.OperationalError as error:
        if may_not_write_beside(file):
            return [Fault(FaultKind.UNREACHABLE, _READ_ONLY)]
        return [Fault(FaultKind.UNREACHABLE, f"The database can't be opened now: {error}.")]
    except sqlite3.DatabaseError as error:
        return [Fault(FaultKind.DAMAGED, f"The database can't be read: {error}.")]


def _damage(connection: sqlite3.Connection) -> Iterator[Fault]:
    for (line,) in connection.execute(f"PRAGMA integrity_check({_SHOWN_AT_MOST})"):
        if line != "ok":
            yield Fault(FaultKind.DAMAGED, f"The database is damaged: {' '.join(line.split())}.")


def _dangling(connection: sqlite3.Connection) -> Iterator[Fault]:
    counts: dict[tuple[str, str], int] = {}
    for table, _rowid, parent, _number in connection.execute("PRAGMA foreign_key_check"):
        counts[table, parent] = counts.get((table, parent), 0) + 1
    for (table, parent), count in counts.items():
        rows = "row refers" if count == 1 else "rows refer"
        sentence = f"{count} {rows} from {table} to something in {parent} that isn't there."
        yield Fault(FaultKind.DANGLING, sentence)
