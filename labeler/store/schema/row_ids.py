"""From the names that people and files use to the database's own numbers."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.store.schema import ClassRow, DatasetRow, ImageRow


def class_ids(session: Session, only: Collection[str] | None = None) -> dict[str, int]:
    """The number of each class, or of only some, which is its index, by wnid."""
    query = select(ClassRow.wnid, ClassRow.id)
    if only is not None:
        query = query.where(ClassRow.wnid.in_(only))
    return dict(session.execute(query).all())


def image_ids(session: Session, dataset: str) -> dict[str, int]:
    """The number of each image of a dataset, by name."""
    query = (
        select(ImageRow.name, ImageRow.id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(DatasetRow.name == dataset)
    )
    return dict(session.execute(query).all())
