"""Locate the file of an image: in its dataset's folder, which each machine may have elsewhere."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from labeler.core.datasets.image_file import ImageFile
from labeler.store.schema import DatasetRow, ImageRow, PackImageRow
from labeler.store.study.local_pack import UsedPack

ImageFolders = Mapping[str, str]
_IMAGE_FOLDERS, _USED_PACK = "image_folders", "used_pack"
# No entry of a pack has this name: the image was added after the pack was made.
_NOT_PACKED = "not-in-this-pack"


def set_image_folders(session: Session, read: Callable[[], ImageFolders]) -> None:
    """Let the session look for images in this machine's own folders."""
    session.info[_IMAGE_FOLDERS] = read


def image_folders(session: Session) -> ImageFolders:
    """Return this machine's own folders by dataset; the others are where the study says."""
    read = session.info.get(_IMAGE_FOLDERS)
    return {} if read is None else read()


def set_used_pack(session: Session, read: Callable[[], UsedPack | None]) -> None:
    """Let the session take what people see from the pack of this machine, if it has one."""
    session.info[_USED_PACK] = read


def used_pack(session: Session) -> UsedPack | None:
    read = session.info.get(_USED_PACK)
    return None if read is None else read()


class PackedFiles:
    """The files of images in the pack of this machine, whose paths say nothing."""

    def __init__(self, session: Session, pack: UsedPack) -> None:
        self._session, self._pack = session, pack

    def file(self, dataset: str, name: str) -> ImageFile:
        """Return the file of an image that someone is asked about."""
        token = self._token(dataset, name, is_reference=False)
        return ImageFile(self._pack.file / (token or _NOT_PACKED), apply_exif=True)

    def reference(self, dataset: str, name: str) -> tuple[str | None, Path]:
        """Return the token of a reference image, if it is in the pack, and its path."""
        token = self._token(dataset, name, is_reference=True)
        return token, self._pack.file / (token or _NOT_PACKED)

    def _token(self, dataset: str, name: str, *, is_reference: bool) -> str | None:
        query = (
            select(PackImageRow.token)
            .join(ImageRow, ImageRow.id == PackImageRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == dataset, ImageRow.name == name)
            .where(PackImageRow.pack_id == self._pack.pack_id)
            .where(PackImageRow.is_reference.is_(is_reference))
        )
        return self._session.scalar(query)


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


def shown_image_files(
    session: Session,
) -> Callable[[Row[*tuple[Any, ...]] | None], ImageFile | None]:
    """Return how to find the files of images that people are asked about: in the pack, if any."""
    pack, folders = used_pack(session), image_folders(session)
    if pack is None:
        return lambda row: image_file_from_row(row, folders)
    packed = PackedFiles(session, pack)
    return lambda row: None if row is None else packed.file(row.dataset, row.name)
