"""From the names that people and files use to the database's own numbers."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.store.schema import ClassRow, DatasetRow, ImageRow


def class_ids(session: Session) -> dict[str, int]:
    """The number of each class, which is its index, by wnid."""
    return dict(session.execute(select(ClassRow.wnid, ClassRow.id)).all())


def image_ids(session: Session, dataset: str) -> dict[str, int]:
    """The number of each image of a dataset, by name."""
    query = (
        select(ImageRow.name, ImageRow.id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(DatasetRow.name == dataset)
    )
    return dict(session.execute(query).all())
