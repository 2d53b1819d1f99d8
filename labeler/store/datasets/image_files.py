"""Locate the file of an image: in its dataset's folder, which each machine may have elsewhere."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Row
from sqlalchemy.orm import Session

from labeler.core.datasets.image_file import ImageFile
from labeler.store.schema import DatasetRow, ImageRow

ImageFolders = Mapping[str, str]
_IMAGE_FOLDERS = "image_folders"


def set_image_folders(session: Session, read: Callable[[], ImageFolders]) -> None:
    """Let the session look for images in this machine's own folders."""
    session.info[_IMAGE_FOLDERS] = read


def image_folders(session: Session) -> ImageFolders:
    """Return this machine's own folders by dataset; the others are where the study says."""
    read = session.info.get(_IMAGE_FOLDERS)
    return {} if read is None else read()


def resolve_image_path(
    *, root: str | None, name: str, path: str | None, folder: str | None = None
) -> str:
    """Return the path of an image's file; empty for an image without a file.

    In this machine's own `folder`, if it has one, every file is found by its name.
    """
    if folder is not None and path != "":
        return str(Path(folder, *name.split("/")))
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
    folder: str | None = None,
) -> ImageFile | None:
    """Return the file for the decoder, or None for an image without one."""
    location = resolve_image_path(root=root, name=name, path=path, folder=folder)
    return ImageFile(Path(location), bool(apply_exif), content_hash) if location else None


IMAGE_FILE_COLUMNS = (
    DatasetRow.name.label("dataset"),
    DatasetRow.root,
    ImageRow.name,
    ImageRow.path,
    DatasetRow.apply_exif,
    ImageRow.content_hash,
)


def image_file_from_row(
    row: Row[*tuple[Any, ...]] | None, folders: ImageFolders
) -> ImageFile | None:
    """Return the file for the decoder, or None without an image or file."""
    if row is None:
        return None
    return resolve_image_file(
        root=row.root,
        name=row.name,
        path=row.path,
        apply_exif=row.apply_exif,
        content_hash=row.content_hash,
        folder=folders.get(row.dataset),
    )
