"""Copying rows of a study into a bundle under fresh ids."""

import secrets
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.orm import Session

from labeler.store.schema import Base, BundleTokenRow, table_of
from labeler.store.sharing.shared_tables import Link

Values = Mapping[str, Any]
_ROWS_AT_ONCE = 5_000
# Large enough that an id says nothing about the order in which images were added.
_IMAGE_ID_BITS = 48


class RowCopier:
    """Copies rows from a study to one bundle; what has no token in the bundle is left out."""

    def __init__(
        self,
        study: Session,
        bundle: Session,
        *,
        bundle_id: str,
        known: Mapping[Link, Mapping[Any, Any]] | None = None,
    ) -> None:
        """`known` are the tokens that the bundle has already."""
        self.study, self.bundle, self._bundle_id = study, bundle, bundle_id
        self.tokens: dict[Link, dict[Any, Any]] = {
            kind: dict((known or {}).get(kind, {})) for kind in Link
        }

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
        table = table_of(row)
        absent = set(leave_out)
        found = []
        for each in self.study.execute(select(table).where(*where)).mappings():
            copied = {name: value for name, value in each.items() if name not in absent}
            if self._translate(copied, links):
                found.append({**copied, **values})
        self.add(row, found)
        return len(found)

    def add(self, row: type[Base], rows: list[dict[str, Any]]) -> None:
        """Insert rows into the bundle in a random order."""
        secrets.SystemRandom().shuffle(rows)
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            self.bundle.execute(insert(table_of(row)), rows[start : start + _ROWS_AT_ONCE])

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


def _new_token(kind: Link) -> Any:
    if kind is Link.IMAGE:
        return new_image_id()
    if kind in (Link.GRID, Link.ROUND, Link.ASSIGNMENT):
        return secrets.token_hex(12)
    return str(uuid.uuid4())


def new_image_id() -> int:
    return 1 + secrets.randbits(_IMAGE_ID_BITS)
