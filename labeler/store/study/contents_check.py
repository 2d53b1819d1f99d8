"""Reads every value of a study's SQLite file as the program would, and names what is damaged.

SQLite's own check finds broken pages, but not a changed byte inside a value. The file may be a
backup of an earlier program, so the columns are taken from the file itself.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from labeler.core.classes import taxonomy as taxonomies
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import LabelerError
from labeler.store.engine.integrity_check import (
    DatabaseFault,
    DatabaseFaultKind,
    find_database_faults,
)
from labeler.store.engine.sqlite_file import sqlite_uri
from labeler.store.study.text_check import text_problem

_MAX_FAULTS = 20
_CHECKSUM_SUFFIX = "_checksum"
_INPUT_BYTES, _LABEL_BYTES = 8, 2
_MAX_NAMES = 5
_CLASSES = "SELECT wnid FROM class"
# Columns with ids of classes, joined by `|`.
_CLASS_LISTS = (
    ("classify_answer", "labels"),
    ("classify_answer", "main"),
    ("crowd_round_image", "labels"),
)

Values = Mapping[str, Any]


class _Text(bytes):
    """Text as it is in the file, which may not be valid UTF-8."""


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    kind: str
    in_key: bool


def find_damage(file: Path) -> list[DatabaseFault]:
    """Return everything that SQLite's checks and reading every value find."""
    faults = find_database_faults(file)
    if any(fault.kind is DatabaseFaultKind.UNREACHABLE for fault in faults):
        return faults
    return [*faults, *find_damaged_values(file)]


def find_damaged_values(file: Path) -> list[DatabaseFault]:
    """Return the values that can't be read or aren't what was written."""
    try:
        place = sqlite_uri(file, otherwise="rw")
        with closing(sqlite3.connect(place, timeout=60, uri=True)) as connection:
            connection.text_factory = _Text
            return list(islice(_damaged_values(connection), _MAX_FAULTS))
    except sqlite3.Error as error:
        return [DatabaseFault(DatabaseFaultKind.DAMAGED, f"The database can't be read: {error}.")]


def _damaged_values(connection: sqlite3.Connection) -> Iterator[DatabaseFault]:
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    for (name,) in connection.execute(tables).fetchall():
        table = name.decode(errors="replace")
        try:
            yield from _damaged_rows(connection, table)
        except sqlite3.Error as error:
            yield _fault(f"The table {table} can't be read: {error}.")
    with suppress(sqlite3.Error):
        yield from _unknown_classes(connection)


def _unknown_classes(connection: sqlite3.Connection) -> Iterator[DatabaseFault]:
    """Find ids of classes that the taxonomy, or the table of classes, doesn't have."""
    classes = {wnid.decode(errors="replace") for (wnid,) in connection.execute(_CLASSES)}
    for (packed,) in connection.execute("SELECT taxonomy FROM study"):
        taxonomy = _parse_taxonomy(packed)
        missing = set() if taxonomy is None else classes - set(taxonomy.class_wnids)
        if missing:
            names = ", ".join(sorted(missing)[:_MAX_NAMES])
            yield _fault(f"The table class is damaged: the taxonomy has no {names}.")
    for table, column in _CLASS_LISTS:
        with suppress(sqlite3.Error):
            lists = connection.execute(f'SELECT DISTINCT "{column}" FROM "{table}"')
            unknown = {
                wnid
                for (text,) in lists
                for wnid in text.decode(errors="replace").split("|")
                if wnid and wnid not in classes
            }
            for wnid in sorted(unknown):
                yield _fault(f"The table {table} is damaged: {column} has no class {wnid!r}.")


def _damaged_rows(connection: sqlite3.Connection, table: str) -> Iterator[DatabaseFault]:
    info = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
    columns = [_Column(i[1].decode(), i[2].decode().upper(), bool(i[5])) for i in info]
    for row in connection.execute(f'SELECT * FROM "{table}"'):
        values = dict(zip((column.name for column in columns), row, strict=True))
        for column in columns:
            problem = _problem(table, column, values)
            if problem:
                row_key = _key(columns, values)
                yield _fault(
                    f"The table {table} is damaged: {column.name} in the row {row_key} {problem}."
                )


def _problem(table: str, column: _Column, values: Values) -> str:
    """Return what is wrong with a value, or an empty text."""
    value = values[column.name]
    if value is None:
        return ""
    if not _has_type(column, value):
        return "has the wrong type"
    if isinstance(value, _Text):
        return _text_problem((table, column.name), value)
    if isinstance(value, bytes):
        return _blob_problem((table, column.name), value, values)
    return ""


def _has_type(column: _Column, value: object) -> bool:
    if column.kind == "BLOB":
        return isinstance(value, bytes) and not isinstance(value, _Text)
    if column.kind.startswith(("INT", "BIGINT", "SMALLINT", "BOOL")):
        return isinstance(value, int)
    if column.kind.startswith(("TEXT", "VARCHAR", "CHAR")):
        return isinstance(value, _Text)
    return True


def _text_problem(place: tuple[str, str], value: _Text) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return "isn't valid text"
    return text_problem(place, text)


def _blob_problem(place: tuple[str, str], value: bytes, values: Values) -> str:
    stored = values.get(f"{place[1]}{_CHECKSUM_SUFFIX}")
    if stored is not None and zlib.crc32(value) != stored:
        return "doesn't match its checksum"
    is_readable = _READABLE.get(place)
    return "" if is_readable is None or is_readable(value, values) else "can't be unpacked"


def _is_taxonomy(value: bytes, _values: Values) -> bool:
    return _parse_taxonomy(value) is not None


def _parse_taxonomy(packed: bytes) -> Taxonomy | None:
    try:
        return taxonomies.parse(zlib.decompress(packed), file="the study's taxonomy")
    except (zlib.error, LabelerError, ValueError, KeyError, TypeError):
        return None


def _are_inputs(value: bytes, _values: Values) -> bool:
    return len(value) % _INPUT_BYTES == 0


def _are_labels(value: bytes, values: Values) -> bool:
    return bool(len(value) == values["images"] * values["ranks"] * _LABEL_BYTES)


def _are_scores(value: bytes, values: Values) -> bool:
    return bool(len(value) == values["images"] * values["ranks"] * values["score_bytes"])


def _is_picture(value: bytes, values: Values) -> bool:
    return bool(hashlib.sha256(value).hexdigest().encode() == values["hash"])


_READABLE: Mapping[tuple[str, str], Callable[[bytes, Values], bool]] = {
    ("study", "taxonomy"): _is_taxonomy,
    ("attention_interval", "inputs"): _are_inputs,
    ("lap_interval", "inputs"): _are_inputs,
    ("model_predictions", "labels"): _are_labels,
    ("model_predictions", "scores"): _are_scores,
    ("guide_picture", "content"): _is_picture,
}


def _key(columns: list[_Column], values: Values) -> str:
    """Return the values of the primary key, to find the row."""
    parts = (values[column.name] for column in columns if column.in_key)
    return ", ".join(p.decode(errors="replace") if isinstance(p, bytes) else str(p) for p in parts)


def _fault(sentence: str) -> DatabaseFault:
    return DatabaseFault(DatabaseFaultKind.DAMAGED, sentence)
