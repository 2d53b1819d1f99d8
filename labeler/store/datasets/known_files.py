"""An image's file as the database knows it: the columns to ask for, and what a row of them says."""

from typing import Any

from sqlalchemy import Row

from labeler.core.datasets.known_file import ImageFile
from labeler.store.datasets.image_files import resolve_image_file
from labeler.store.schema import DatasetRow, ImageRow

IMAGE_FILE_COLUMNS = (
    DatasetRow.root,
    ImageRow.name,
    ImageRow.path,
    DatasetRow.apply_exif,
    ImageRow.content_hash,
)


def image_file_from_row(row: Row[*tuple[Any, ...]] | None) -> ImageFile | None:
    """The file for the decoder; None where there is no such image, or it has no file."""
    if row is None:
        return None
    return resolve_image_file(
        root=row.root,
        name=row.name,
        path=row.path,
        apply_exif=row.apply_exif,
        content_hash=row.content_hash,
    )
