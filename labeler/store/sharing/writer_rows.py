"""The rows of one writer, translated from the ids of a bundle to those of the study."""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.sharing.chain import ChainEntry
from labeler.core.study.entities import Role
from labeler.store.schema import BundleTokenRow, ClassRow
from labeler.store.sharing.row_copier import PERSON_ID
from labeler.store.sharing.row_values import BadRow, canonical, checked_row
from labeler.store.sharing.shared_tables import TABLE_BY_NAME, Link, SharedTable

# What a person makes in a bundle, under ids of their own.
_MADE_IN_BUNDLES = {
    "session": Link.SESSION,
    "trial": Link.TRIAL,
    "training": Link.TRAINING,
}
_MAX_ROWS_PER_ENTRY = 200_000


@dataclass(slots=True)
class SharedRow:
    """A row in its last state: its key in the bundle, when it was committed, its values."""

    local_key: str
    at: str
    number: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ParsedEntry:
    """An entry of a chain, with the types of its rows checked."""

    number: int
    at: str
    rows: tuple[tuple[SharedTable, dict[str, Any]], ...]


def parsed_entry(entry: ChainEntry, role: Role) -> ParsedEntry:
    """Check an entry against the tables of the role, or raise BadRow."""
    try:
        content = json.loads(entry.content)
        at, rows = content["at"], content["rows"]
        if not isinstance(at, str) or not isinstance(rows, list) or set(content) != {"at", "rows"}:
            raise BadRow("it isn't built as this program builds them")
        if len(rows) > _MAX_ROWS_PER_ENTRY:
            raise BadRow("it has too many rows")
        return ParsedEntry(entry.number, at, tuple(_parsed_rows(rows, role)))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadRow("it isn't built as this program builds them") from error


def _parsed_rows(rows: Iterable[Any], role: Role) -> Iterator[tuple[SharedTable, dict[str, Any]]]:
    for name, given in rows:
        table = TABLE_BY_NAME.get(name)
        if table is None or role not in table.roles:
            raise BadRow(f"a {role.value} doesn't write rows of {str(name)[:40]}")
        yield table, checked_row(table, given)


class IdTranslator:
    """Translates the ids in a writer's rows; what is neither a token nor the writer's is bad."""

    def __init__(self, session: Session, bundle_id: str, participant_id: int) -> None:
        self._person = participant_id
        self._classes = set(session.scalars(select(ClassRow.id)))
        self._tokens: dict[str, dict[str, str]] = {}
        query = select(BundleTokenRow.kind, BundleTokenRow.token, BundleTokenRow.original)
        for kind, token, original in session.execute(
            query.where(BundleTokenRow.bundle_id == bundle_id)
        ):
            self._tokens.setdefault(kind, {})[token] = original
        self._made: dict[Link, set[str]] = {kind: set() for kind in Link}

    def learn(self, table: SharedTable, values: Mapping[str, Any]) -> None:
        """Remember the ids of what the person made in the bundle."""
        kind = _MADE_IN_BUNDLES.get(table.name)
        if kind is not None:
            self._made[kind].add(str(values["id"]))

    def is_token(self, kind: Link, value: object) -> bool:
        return str(value) in self._tokens.get(kind, {})

    def translated(self, table: SharedTable, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the row with the study's ids, or raise BadRow."""
        return {
            column: self._id(table, column, value)
            if column in table.links and value is not None
            else value
            for column, value in values.items()
        }

    def _id(self, table: SharedTable, column: str, value: Any) -> Any:
        kind = table.links[column]
        if kind is Link.PERSON and value == PERSON_ID:
            return self._person
        if kind is Link.CLASS and value in self._classes:
            return value
        text = _as_uuid(value) if kind is not Link.IMAGE else str(value)
        original = self._tokens.get(kind, {}).get(text)
        if original is not None:
            return int(original) if kind is Link.IMAGE else original
        if text in self._made[kind]:
            return text
        raise BadRow(f"{table.name}.{column} refers to something that the bundle doesn't have")

    def original(self, kind: Link, token: str) -> str | None:
        return self._tokens.get(kind, {}).get(token)


def _as_uuid(value: Any) -> str:
    try:
        return str(uuid.UUID(str(value))) if len(str(value)) in (32, 36) else str(value)
    except ValueError:
        return str(value)


def collected_rows(
    entries: Iterable[ParsedEntry], translator: IdTranslator
) -> dict[str, dict[str, SharedRow]]:
    """Return each row's last state by table and key, in the order in which rows appeared."""
    known = list(entries)
    for entry in known:
        for table, values in entry.rows:
            translator.learn(table, values)
    found: dict[str, dict[str, SharedRow]] = {}
    for entry in known:
        for table, values in entry.rows:
            key = canonical([str(values[column]) for column in table.key])
            rows = found.setdefault(table.name, {})
            at = str(values[table.at] or "") if table.at else entry.at
            row = SharedRow(key, at, entry.number, translator.translated(table, values))
            if key in rows:
                row.at = rows[key].at
            rows[key] = row
    return found
