"""Pack files: pictures and what belongs to them, in one file without names of files.

A pack is an SQLite file, so that a picture is found without reading the others, and an
interrupted pack continues where it stopped. Hashes include the pack's random id: a list of
public hashes of images finds nothing in them.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, os_error_reason

PACK_SUFFIX = ".labelerpack"
PACK_FORMAT = "labeler pack 1"
# The names of entries that aren't images begin with these.
SHEETS, GUIDE_PAGES = "sheets/", "guide/"
# How packed sheets call the dataset of their images.
PACKED_REFERENCES = "references"
# No sheet or photograph is larger; a file that says so isn't from this program.
MAX_ENTRY_BYTES = 1 << 30
_ENTRIES_PER_COMMIT = 200


@dataclass(frozen=True, slots=True)
class PackFacts:
    """A complete pack: its id, its digest and the number of its entries."""

    pack_id: str
    digest: str
    entries: int


class PackWriter:
    """Writes a pack aside; `finish` puts it in place."""

    def __init__(self, file: Path, pack_id: str) -> None:
        self._file, self._aside, self._pack_id = file, part_file(file), pack_id
        self._waiting = 0
        with _written(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self._aside, isolation_level=None)
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(
                "CREATE TABLE IF NOT EXISTS pack (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
                "CREATE TABLE IF NOT EXISTS entry (number INTEGER PRIMARY KEY, "
                "name TEXT NOT NULL UNIQUE, hash BLOB NOT NULL, content BLOB NOT NULL);"
            )
            facts = {"format": PACK_FORMAT, "id": pack_id}
            for name, value in facts.items():
                self._connection.execute("INSERT OR REPLACE INTO pack VALUES (?, ?)", (name, value))

    def names(self) -> set[str]:
        """Return what is in the pack already."""
        return {name for (name,) in self._connection.execute("SELECT name FROM entry")}

    def add(self, name: str, content: bytes) -> None:
        with _written(self._file):
            if not self._waiting:
                self._connection.execute("BEGIN")
            self._connection.execute(
                "INSERT INTO entry (name, hash, content) VALUES (?, ?, ?)",
                (name, entry_hash(self._pack_id, content), content),
            )
            self._waiting += 1
            if self._waiting >= _ENTRIES_PER_COMMIT:
                self.commit()

    def commit(self) -> None:
        """Make what was added so far survive an interruption."""
        if self._waiting:
            self._connection.execute("COMMIT")
            self._waiting = 0

    def finish(self) -> PackFacts:
        """Complete the pack and move it to its place."""
        with _written(self._file):
            self.commit()
            facts = _contents(self._connection, self._pack_id)
            self._connection.execute(
                "INSERT OR REPLACE INTO pack VALUES ('digest', ?)", (facts.digest,)
            )
            self.close()
            with self._aside.open("rb") as opened:
                os.fsync(opened.fileno())
            self._aside.replace(self._file)
        return facts

    def close(self) -> None:
        if self._waiting:
            self.commit()
        self._connection.close()


def part_file(file: Path) -> Path:
    """Return where an unfinished pack is written."""
    return file.with_name(f"{file.name}.part")


def unfinished_pack(file: Path) -> str | None:
    """Return the id of the unfinished pack next to `file`, or None."""
    aside = part_file(file)
    try:
        with closing(_opened(aside)) as connection:
            return _value(connection, "id")
    except (sqlite3.Error, OSError):
        return None


def pack_facts(file: Path) -> PackFacts:
    """Return the id and digest that the pack states; `verify_pack` compares them."""
    with _read(file) as connection:
        digest, pack_id = _value(connection, "digest"), _value(connection, "id")
        if _value(connection, "format") != PACK_FORMAT or digest is None or pack_id is None:
            raise InputError("this isn't a complete pack of labeler.", file=file)
        (count,) = connection.execute("SELECT count(*) FROM entry").fetchone()
        return PackFacts(pack_id, digest, int(count))


def verify_pack(file: Path, *, step: Iterator[None] | None = None) -> PackFacts:
    """Read every entry and compare it with its hash; raise InputError for a damaged pack."""
    stated = pack_facts(file)
    with _read(file) as connection:
        for name, hashed, content in connection.execute("SELECT name, hash, content FROM entry"):
            if entry_hash(stated.pack_id, content) != hashed:
                raise InputError(f"the entry {name} is damaged. Copy the pack again.", file=file)
            if step is not None:
                next(step, None)
        if _contents(connection, stated.pack_id) != stated:
            raise InputError("entries are missing. Copy the pack again.", file=file)
    return stated


def read_packed(file: Path, name: str) -> bytes | None:
    """Return an entry, or None if the pack has none of this name or it is damaged."""
    with closing(_opened(file)) as connection:
        query = (
            "SELECT hash, content, (SELECT value FROM pack WHERE name = 'id') FROM entry "
            "WHERE name = ? AND length(content) <= ?"
        )
        found = connection.execute(query, (name, MAX_ENTRY_BYTES)).fetchone()
    if found is None:
        return None
    hashed, content, pack_id = found
    return content if entry_hash(pack_id, content) == hashed else None


def packed_names(file: Path, prefix: str) -> list[str]:
    """Return the names of the entries that begin with `prefix`, sorted."""
    with _read(file) as connection:
        query = "SELECT name FROM entry WHERE substr(name, 1, ?) = ? ORDER BY name"
        return [name for (name,) in connection.execute(query, (len(prefix), prefix))]


def entry_hash(pack_id: str, content: bytes) -> bytes:
    return hashlib.sha256(pack_id.encode() + b"\n" + content).digest()


def _contents(connection: sqlite3.Connection, pack_id: str) -> PackFacts:
    digest, count = hashlib.sha256(), 0
    for name, hashed in connection.execute("SELECT name, hash FROM entry ORDER BY name"):
        digest.update(name.encode() + b"\0" + hashed)
        count += 1
    return PackFacts(pack_id, digest.hexdigest(), count)


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


def _value(connection: sqlite3.Connection, name: str) -> str | None:
    found = connection.execute("SELECT value FROM pack WHERE name = ?", (name,)).fetchone()
    return None if found is None else str(found[0])


@contextmanager
def _read(file: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(_opened(file)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise InputError("this isn't a pack of labeler, or it is damaged.", file=file) from error


@contextmanager
def _written(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EnvironmentFault(f"{file} can't be written: {os_error_reason(error)}") from error
    except sqlite3.Error as error:
        raise EnvironmentFault(f"{file} can't be written: {error}.") from error


def add_all(writer: PackWriter, entries: Iterable[tuple[str, bytes]]) -> None:
    """Add entries that aren't in the pack yet."""
    known = writer.names()
    for name, content in entries:
        if name not in known:
            writer.add(name, content)
