"""Locate the file of an image."""

from pathlib import Path
from typing import Any

from sqlalchemy import Row

from labeler.core.datasets.image_file import ImageFile
from labeler.store.schema import DatasetRow, ImageRow


def resolve_image_path(*, root: str | None, name: str, path: str | None) -> str:
    """Return the path of an image's file; empty for an image without a file."""
    if path is not None:
        return path
    return "" if root is None else str(Path(root, *name.split("/")))


def resolve_image_file(
    *,
    root: str | None,
    name: str,
    path: str | None,
    apply_exif: bool,
    content_hash: bytes | None,
) -> ImageFile | None:
    """Return the file for the decoder, or None for an image without one."""
    location = resolve_image_path(root=root, name=name, path=path)
    return ImageFile(Path(location), bool(apply_exif), content_hash) if location else None


IMAGE_FILE_COLUMNS = (
    DatasetRow.root,
    ImageRow.name,
    ImageRow.path,
    DatasetRow.apply_exif,
    ImageRow.content_hash,
)


def image_file_from_row(row: Row[*tuple[Any, ...]] | None) -> ImageFile | None:
    """Return the file for the decoder, or None without an image or file."""
    if row is None:
        return None
    return resolve_image_file(
        root=row.root,
        name=row.name,
        path=row.path,
        apply_exif=row.apply_exif,
        content_hash=row.content_hash,
    )
