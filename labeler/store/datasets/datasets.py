"""Datasets and the images in them, as the lead sees them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, exists, func, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Dataset, DatasetRole, ImageKey
from labeler.store.datasets.image_files import image_folders, resolve_image_path
from labeler.store.schema import (
    DatasetRow,
    ImageFactorRow,
    ImageRow,
    NearDuplicateNeighbourRow,
    NearDuplicateSearchRow,
    OddFileRow,
    table_of,
)
from labeler.store.schema.base import Base
from labeler.store.schema.row_ids import class_ids

_DATASET_TABLES = (ImageRow.__tablename__, "odd_file")


def dataset_foreign_keys() -> list[tuple[str, ColumnElement[int], str]]:
    """Return every column that refers to `image` or `dataset`, except in a dataset's own tables."""
    return [
        (table.name, key.parent, key.column.table.name)
        for table in Base.metadata.sorted_tables
        for key in table.foreign_keys
        if key.column.table.name in ("image", "dataset") and table.name not in _DATASET_TABLES
    ]


def tables_using_dataset(session: Session, dataset: str) -> list[str]:
    """Return the tables with a row that refers to this dataset or one of its images."""
    itself = select(DatasetRow.id).where(DatasetRow.name == dataset)
    images = select(ImageRow.id).where(ImageRow.dataset_id.in_(itself))
    ids_by_table = {"dataset": itself, "image": images}
    return [
        table
        for table, column, to in dataset_foreign_keys()
        if session.scalar(select(exists().where(column.in_(ids_by_table[to]))))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetDefinition:
    """A dataset to import and its options; a resumed import must have the same definition."""

    name: str
    role: DatasetRole
    layout: str | None = None
    root: str | None = None
    labels: str | None = None
    apply_exif: bool = False
    per_class: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewImage:
    """An image to store, measured or not."""

    name: str
    target: str
    path: str | None = None
    content_hash: bytes | None = None
    byte_count: int | None = None
    width: int | None = None
    height: int | None = None
    format: str | None = None
    mode: str | None = None


@dataclass(frozen=True, slots=True)
class OddFile:
    """A file found during an import and what was odd about it; some odd files are imported."""

    name: str
    kind: str
    imported: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OddFileCounts:
    """How many files an import left out, and how many it imported but noted as odd."""

    left_out: int = 0
    noted: int = 0


@dataclass(frozen=True, slots=True)
class StoredImageFile:
    """The file of an image at the time of import."""

    key: ImageKey
    path: Path
    content_hash: bytes | None
    byte_count: int | None


class NamedImageFile(NamedTuple):
    """The file of an image relative to its dataset, and its content at the time of import."""

    name: str
    content_hash: bytes | None
    byte_count: int | None


class Datasets:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def add(self, new: DatasetDefinition, *, complete: bool = False) -> None:
        """Add the dataset's row; images follow, then `complete`."""
        self._session.add(
            DatasetRow(
                name=new.name,
                role=new.role,
                layout=new.layout,
                root=new.root,
                labels=new.labels,
                apply_exif=new.apply_exif,
                per_class=new.per_class,
                seed=new.seed,
                complete=complete,
                added_at=stamp(self._clock.utc()),
            )
        )
        self._session.flush()

    def complete(self, name: str) -> None:
        self._row(name).complete = True

    def remove(self, name: str) -> None:
        """Delete the dataset and its images; only possible while nothing refers to them."""
        row = self._row(name)
        images = select(ImageRow.id).where(ImageRow.dataset_id == row.id)
        self._session.execute(delete(ImageFactorRow).where(ImageFactorRow.image_id.in_(images)))
        # Distances refer to images by number, and numbers are used again.
        for derived in (NearDuplicateNeighbourRow, NearDuplicateSearchRow):
            self._session.execute(delete(derived))
        for table in (OddFileRow, ImageRow):
            self._session.execute(delete(table).where(table.dataset_id == row.id))
        self._session.delete(row)

    def find(self, name: str) -> Dataset | None:
        row = self._session.scalar(select(DatasetRow).where(DatasetRow.name == name))
        return None if row is None else self._dataset(row)

    def definition(self, name: str) -> DatasetDefinition:
        """Return how the dataset was defined when it was imported."""
        row = self._row(name)
        return DatasetDefinition(
            name=row.name,
            role=row.role,
            layout=row.layout,
            root=row.root,
            labels=row.labels,
            apply_exif=row.apply_exif,
            per_class=row.per_class,
            seed=row.seed,
        )

    def all(self, role: DatasetRole | None = None) -> list[Dataset]:
        """Return the datasets in the order they were added."""
        rows = self._session.scalars(select(DatasetRow).order_by(DatasetRow.id))
        return [self._dataset(row) for row in rows if role is None or row.role is role]

    def append(self, dataset: str, images: Sequence[NewImage]) -> None:
        """Append images to the dataset."""
        row = self._row(dataset)
        first = self._next_ordinal(row.id)
        indices = class_ids(self._session, {image.target for image in images})
        rows = [
            {
                "dataset_id": row.id,
                "ordinal": first + offset,
                "name": image.name,
                "target_id": indices[image.target],
                "path": image.path,
                "content_hash": image.content_hash,
                "byte_count": image.byte_count,
                "width": image.width,
                "height": image.height,
                "format": image.format,
                "mode": image.mode,
            }
            for offset, image in enumerate(images)
        ]
        if rows:
            # Directly into the table: the ORM's insert takes several times as long.
            self._session.execute(insert(table_of(ImageRow)), rows)

    def measured(self, dataset: str, images: Iterable[NewImage]) -> None:
        """Store the measurements of images that are already stored."""
        dataset_id = self._row(dataset).id
        for image in images:
            self._session.execute(
                update(ImageRow)
                .where(ImageRow.dataset_id == dataset_id, ImageRow.name == image.name)
                .values(
                    content_hash=image.content_hash,
                    byte_count=image.byte_count,
                    width=image.width,
                    height=image.height,
                    format=image.format,
                    mode=image.mode,
                )
            )

    def names(self, dataset: str) -> set[str]:
        """Return the names of the stored images."""
        query = select(ImageRow.name).where(ImageRow.dataset_id == self._row(dataset).id)
        return set(self._session.scalars(query))

    def add_odd_files(self, dataset: str, files: Iterable[OddFile]) -> None:
        dataset_id = self._row(dataset).id
        # Undecodable bytes in names are all replaced by the same character, so names can be equal.
        rows = [
            {"dataset_id": dataset_id, "name": f.name, "kind": f.kind, "imported": f.imported}
            for f in dict.fromkeys(files)
        ]
        if rows:
            self._session.execute(insert(OddFileRow), rows)

    def delete_odd_files(self, dataset: str, names: Iterable[str]) -> None:
        """Delete the notes on files that will be checked again."""
        dataset_id = self._row(dataset).id
        for name in names:
            self._session.execute(delete(OddFileRow).filter_by(dataset_id=dataset_id, name=name))

    def odd_files(self, dataset: str) -> list[OddFile]:
        query = (
            select(OddFileRow.name, OddFileRow.kind, OddFileRow.imported)
            .where(OddFileRow.dataset_id == self._row(dataset).id)
            .order_by(OddFileRow.id)
        )
        return [OddFile(*row) for row in self._session.execute(query)]

    def odd_counts(self) -> dict[str, OddFileCounts]:
        """Return how many files were left out and noted, for datasets that have any."""
        query = (
            select(DatasetRow.name, OddFileRow.imported, func.count(OddFileRow.name.distinct()))
            .join(DatasetRow, DatasetRow.id == OddFileRow.dataset_id)
            .group_by(DatasetRow.name, OddFileRow.imported)
        )
        found: dict[str, OddFileCounts] = {}
        for name, imported, count in self._session.execute(query):
            counts = found.get(name, OddFileCounts())
            found[name] = (
                replace(counts, noted=count) if imported else replace(counts, left_out=count)
            )
        return found

    def unmeasured(self, dataset: str) -> list[StoredImageFile]:
        """Return the images with a file but no hash yet."""
        return [file for file in self.files(dataset) if file.content_hash is None]

    def files(self, dataset: str) -> Iterator[StoredImageFile]:
        """Yield the file of every image that has one, in dataset order."""
        row = self._row(dataset)
        query = (
            select(ImageRow.name, ImageRow.path, ImageRow.content_hash, ImageRow.byte_count)
            .where(ImageRow.dataset_id == row.id)
            .order_by(ImageRow.ordinal)
            .execution_options(yield_per=1000)
        )
        folder = image_folders(self._session).get(dataset)
        for name, path, content_hash, byte_count in self._session.execute(query):
            path_text = resolve_image_path(root=row.root, name=name, path=path, folder=folder)
            if path_text:
                key = ImageKey(dataset, name)
                yield StoredImageFile(key, Path(path_text), content_hash, byte_count)

    def files_by_name(self, dataset: str) -> list[NamedImageFile]:
        """Return the images that have a file, or would have one in a folder."""
        query = (
            select(ImageRow.name, ImageRow.content_hash, ImageRow.byte_count)
            .where(ImageRow.dataset_id == self._row(dataset).id)
            .where(ImageRow.path.is_(None) | (ImageRow.path != ""))
            .order_by(ImageRow.ordinal)
        )
        return [NamedImageFile(*row) for row in self._session.execute(query)]

    def relocate(self, dataset: str, root: str) -> None:
        """Change the dataset's folder; every file is then found by its name."""
        row = self._row(dataset)
        row.root = root
        has_file = (ImageRow.path.is_not(None)) & (ImageRow.path != "")
        relocated = update(ImageRow).where(ImageRow.dataset_id == row.id, has_file)
        self._session.execute(relocated.values(path=None))

    def _row(self, name: str) -> DatasetRow:
        row = self._session.scalar(select(DatasetRow).where(DatasetRow.name == name))
        if row is None:
            known = ", ".join(d.name for d in self.all()) or "none"
            raise RefusedError(f"The study has no dataset '{name}'; it has: {known}.")
        return row

    def _dataset(self, row: DatasetRow) -> Dataset:
        return Dataset(
            name=row.name,
            role=row.role,
            images=self._next_ordinal(row.id),
            root=image_folders(self._session).get(row.name, row.root),
            layout=row.layout,
            apply_exif=row.apply_exif,
            complete=row.complete,
        )

    def _next_ordinal(self, dataset_id: int) -> int:
        # Ordinals are dense; counting rows would take longer with every image.
        query = select(func.max(ImageRow.ordinal)).where(ImageRow.dataset_id == dataset_id)
        last = self._session.scalar(query)
        return 0 if last is None else last + 1
