"""What in a study refers to a dataset or to its images, and so keeps it there."""

from sqlalchemy import ColumnElement, exists, select
from sqlalchemy.orm import Session

from labeler.store.schema import DatasetRow, ImageRow
from labeler.store.schema.base import Base

_DATASET_TABLES = (ImageRow.__tablename__, "odd_file")


def dataset_foreign_keys() -> list[tuple[str, ColumnElement[int], str]]:
    """Every table with a column that refers to `image` or `dataset`, but for a dataset's own."""
    return [
        (table.name, key.parent, key.column.table.name)
        for table in Base.metadata.sorted_tables
        for key in table.foreign_keys
        if key.column.table.name in ("image", "dataset") and table.name not in _DATASET_TABLES
    ]


def tables_using_dataset(session: Session, dataset: str) -> list[str]:
    """The tables with a row that refers to this dataset or one of its images."""
    itself = select(DatasetRow.id).where(DatasetRow.name == dataset)
    images = select(ImageRow.id).where(ImageRow.dataset_id.in_(itself))
    referred = {"dataset": itself, "image": images}
    return [
        table
        for table, column, to in dataset_foreign_keys()
        if session.scalar(select(exists().where(column.in_(referred[to]))))
    ]
