"""Look up database ids by the names that people and files use."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.store.schema import ClassRow, DatasetRow, ImageRow


def class_ids(session: Session, only: Collection[str] | None = None) -> dict[str, int]:
    """Return the id, which is the index, of all or some classes by wnid."""
    query = select(ClassRow.wnid, ClassRow.id)
    if only is not None:
        query = query.where(ClassRow.wnid.in_(only))
    return dict(session.execute(query).all())


def image_ids(session: Session, dataset: str) -> dict[str, int]:
    """Return the id of each image of a dataset, by name."""
    query = (
        select(ImageRow.name, ImageRow.id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(DatasetRow.name == dataset)
    )
    return dict(session.execute(query).all())
