"""Copying rows of a study into a bundle under fresh ids."""

import secrets
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.orm import Session

from labeler.store.schema import Base, BundleTokenRow, table_of
from labeler.store.sharing.shared_tables import Link

# The person's id in every bundle.
PERSON_ID = 1
_ROWS_AT_ONCE = 5_000
# Large enough that an id says nothing about the order in which images were added.
_IMAGE_ID_BITS = 48


class RowTranslator:
    """Reads rows of a study with the ids of one bundle; what has no token there is left out."""

    def __init__(self, study: Session, *, bundle_id: str, person: int) -> None:
        self.study, self._bundle_id = study, bundle_id
        self.tokens: dict[Link, dict[Any, Any]] = {kind: {} for kind in Link}
        self.tokens[Link.PERSON] = {person: PERSON_ID}
        self.tokens[Link.CLASS] = _Same()

    def give_tokens(self, kind: Link, originals: Iterable[Any]) -> list[Any]:
        """Give each id a fresh random token, kept with the lead; return the new ones' ids."""
        new = [one for one in dict.fromkeys(originals) if one not in self.tokens[kind]]
        made = {original: _new_token(kind) for original in new}
        self.tokens[kind].update(made)
        rows = [
            {
                "bundle_id": self._bundle_id,
                "kind": kind.value,
                "token": str(token),
                "original": str(original),
            }
            for original, token in made.items()
        ]
        if rows:
            self.study.execute(insert(table_of(BundleTokenRow)), rows)
        return new

    def copy(
        self,
        row: type[Base],
        *where: ColumnElement[bool],
        links: Mapping[str, Link],
        leave_out: Iterable[str] = (),
        **values: Any,
    ) -> int:
        """Copy rows; `links` are translated, `values` replace what the study has."""
        found = self.translated(row, *where, links=links, leave_out=leave_out)
        self.add(row, [{**each, **values} for each in found])
        return len(found)

    def translated(
        self,
        row: type[Base],
        *where: ColumnElement[bool],
        links: Mapping[str, Link],
        leave_out: Iterable[str] = (),
    ) -> list[dict[str, Any]]:
        """Return rows with the ids of the bundle."""
        absent = set(leave_out)
        found = []
        for each in self.study.execute(select(table_of(row)).where(*where)).mappings():
            copied = {name: value for name, value in each.items() if name not in absent}
            if self._translate(copied, links):
                found.append(copied)
        return found

    def add(self, row: type[Base], rows: list[dict[str, Any]]) -> None:
        """Add rows to the bundle in a random order."""
        raise NotImplementedError

    def _translate(self, values: dict[str, Any], links: Mapping[str, Link]) -> bool:
        """Replace ids by tokens; return False if one has none in this bundle."""
        for column, kind in links.items():
            original = values.get(column)
            if original is None:
                continue
            if original not in self.tokens[kind]:
                return False
            values[column] = self.tokens[kind][original]
        return True


class RowCopier(RowTranslator):
    """Copies rows into the database of a new bundle."""

    def __init__(self, study: Session, bundle: Session, *, bundle_id: str, person: int) -> None:
        super().__init__(study, bundle_id=bundle_id, person=person)
        self.bundle = bundle

    def add(self, row: type[Base], rows: list[dict[str, Any]]) -> None:
        secrets.SystemRandom().shuffle(rows)
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            self.bundle.execute(insert(table_of(row)), rows[start : start + _ROWS_AT_ONCE])


class RowCollector(RowTranslator):
    """Collects rows for the update of a bundle, which has tokens already."""

    def __init__(self, study: Session, *, bundle_id: str, person: int) -> None:
        super().__init__(study, bundle_id=bundle_id, person=person)
        self.rows: dict[str, list[dict[str, Any]]] = {}
        query = select(BundleTokenRow.kind, BundleTokenRow.original, BundleTokenRow.token)
        for kind, original, token in study.execute(
            query.where(BundleTokenRow.bundle_id == bundle_id)
        ):
            if Link(kind) is Link.IMAGE:
                self.tokens[Link.IMAGE][int(original)] = int(token)
            else:
                self.tokens[Link(kind)][original] = token

    def add(self, row: type[Base], rows: list[dict[str, Any]]) -> None:
        secrets.SystemRandom().shuffle(rows)
        self.rows.setdefault(str(row.__tablename__), []).extend(rows)


class _Same(dict[Any, Any]):
    """Ids that are the same in a bundle: classes, which everyone knows."""

    def __contains__(self, _key: object) -> bool:
        return True

    def __missing__(self, key: Any) -> Any:
        return key


def _new_token(kind: Link) -> Any:
    if kind is Link.IMAGE:
        return new_image_id()
    if kind in (Link.GRID, Link.ROUND, Link.ASSIGNMENT):
        return secrets.token_hex(12)
    return str(uuid.uuid4())


def new_image_id() -> int:
    return 1 + secrets.randbits(_IMAGE_ID_BITS)
