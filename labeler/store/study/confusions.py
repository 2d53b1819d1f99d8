"""How often classes are confused, as a file says that the lead imported."""

from collections.abc import Mapping

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session, aliased

from labeler.store.schema import ClassRow, ConfusionRow

# Databases limit the number of values in one statement.
_ROWS_PER_STATEMENT = 5000


class Confusions:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> dict[tuple[str, str], int]:
        """Return the count of each pair of classes."""
        one, other = aliased(ClassRow), aliased(ClassRow)
        query = (
            select(one.wnid, other.wnid, ConfusionRow.count)
            .join(one, one.id == ConfusionRow.class_id)
            .join(other, other.id == ConfusionRow.other_class_id)
        )
        return {(a, b): count for a, b, count in self._session.execute(query)}

    def count(self) -> int:
        """Return how many pairs there are."""
        return self._session.scalar(select(func.count()).select_from(ConfusionRow)) or 0

    def replace(self, pairs: Mapping[tuple[int, int], int]) -> None:
        """Store these pairs of class indices instead of those before."""
        self._session.execute(delete(ConfusionRow))
        rows = [
            {"class_id": min(pair), "other_class_id": max(pair), "count": count}
            for pair, count in pairs.items()
        ]
        for start in range(0, len(rows), _ROWS_PER_STATEMENT):
            some = rows[start : start + _ROWS_PER_STATEMENT]
            self._session.execute(insert(ConfusionRow), some)
