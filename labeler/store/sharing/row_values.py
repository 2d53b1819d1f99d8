"""Rows as JSON values and back: what comes from a file is checked, column by column."""

import json
import uuid
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from sqlalchemy import Boolean, Column, Enum, Float, Integer, LargeBinary, Uuid

from labeler.store.schema import Base, table_of
from labeler.store.sharing.shared_tables import SharedTable

# No note, page or packed time of a person is longer.
MAX_TEXT, MAX_BYTES = 100_000, 4 << 20
_MAX_INTEGER = 2**53
_Check = Callable[[Column[Any], object], Any]


class BadRow(Exception):
    """A row of a file isn't one that this program writes; the message says what is wrong."""


def to_json(values: Mapping[str, Any]) -> dict[str, object]:
    """Return raw values of SQLite as JSON values; bytes become hexadecimal text."""
    return {
        name: value.hex() if isinstance(value, bytes) else value for name, value in values.items()
    }


def canonical(value: object) -> str:
    """Return the only way in which a value is written in a chain."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def checked_row(table: SharedTable, given: object) -> dict[str, Any]:
    """Return the row with the types of its columns, or raise BadRow."""
    checks = _checks_of(table.row)
    if not isinstance(given, dict) or given.keys() != checks.keys():
        raise BadRow(f"a row of {table.name} has other columns")
    return {
        name: _checked(table.name, column, check, given[name])
        for name, (column, check) in checks.items()
    }


@cache
def _checks_of(row: type[Base]) -> dict[str, tuple[Column[Any], _Check]]:
    """Return how the value of each column is checked: the first kind that fits is taken."""
    return {
        column.name: (
            column,
            next((_CHECKS[kind] for kind in _CHECKS if isinstance(column.type, kind)), _text),
        )
        for column in table_of(row).columns
    }


def _checked(table: str, column: Column[Any], check: _Check, value: object) -> Any:
    if value is None:
        if not column.nullable:
            raise BadRow(f"{table}.{column.name} is empty")
        return None
    try:
        return check(column, value)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadRow(f"{table}.{column.name} can't be {str(value)[:40]!r}") from error


def _text(column: Column[Any], value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise BadRow(f"{column.table.name}.{column.name} isn't a text of a plausible length")
    return value


def _integer(_column: Column[Any], value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _MAX_INTEGER:
        raise ValueError
    return value


def _number(_column: Column[Any], value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    return float(value)


def _flag(_column: Column[Any], value: object) -> bool:
    if value not in (0, 1):
        raise ValueError
    return bool(value)


def _member(column: Column[Any], value: object) -> object:
    kind = column.type
    assert isinstance(kind, Enum)
    assert kind.enum_class is not None
    return kind.enum_class(str(value))


def _uuid(_column: Column[Any], value: object) -> str:
    return str(uuid.UUID(str(value)))


def _bytes(_column: Column[Any], value: object) -> bytes:
    if not isinstance(value, str) or len(value) > 2 * MAX_BYTES:
        raise ValueError
    return bytes.fromhex(value)


# Enum before text and Boolean before Integer, because the first that fits is taken.
_CHECKS = {
    Enum: _member,
    Boolean: _flag,
    Uuid: _uuid,
    LargeBinary: _bytes,
    Float: _number,
    Integer: _integer,
}
