"""Properties of images, such as their pose, as a file says that the lead imported."""

from collections.abc import Iterable, Mapping

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from labeler.core.study.entities import ImageKey
from labeler.store.schema import ImageFactorRow, ImageRow
from labeler.store.schema.row_ids import image_ids

# Databases limit the number of values in one statement.
_ROWS_PER_STATEMENT = 5000


class ImageFactorTable:
    def __init__(self, session: Session) -> None:
        self._session = session

    def count(self) -> int:
        """Return how many factors there are."""
        names = select(ImageFactorRow.factor).distinct().subquery()
        return self._session.scalar(select(func.count()).select_from(names)) or 0

    def of_dataset(self, dataset: int) -> dict[str, list[int]]:
        """Return the ids of a dataset's images by factor."""
        query = (
            select(ImageFactorRow.factor, ImageFactorRow.image_id)
            .join(ImageRow, ImageRow.id == ImageFactorRow.image_id)
            .where(ImageRow.dataset_id == dataset)
            .order_by(ImageFactorRow.factor)
        )
        found: dict[str, list[int]] = {}
        for factor, image in self._session.execute(query):
            found.setdefault(factor, []).append(image)
        return found

    def replace(self, factors: Mapping[str, Iterable[ImageKey]]) -> None:
        """Store these factors instead of those before."""
        self._session.execute(delete(ImageFactorRow))
        ids: dict[str, dict[str, int]] = {}
        rows = []
        for factor, keys in factors.items():
            for key in keys:
                if key.dataset not in ids:
                    ids[key.dataset] = image_ids(self._session, key.dataset)
                rows.append({"image_id": ids[key.dataset][key.image], "factor": factor})
        for start in range(0, len(rows), _ROWS_PER_STATEMENT):
            some = rows[start : start + _ROWS_PER_STATEMENT]
            self._session.execute(insert(ImageFactorRow), some)
