"""Searches for near-duplicates: the images that are compared, and their distances."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.near_duplicates import (
    Neighbour,
)
from labeler.core.datasets.image_file import ImageFile
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.store.curation.image_numbers import MOST_PARAMETERS, all_ids, id_of, keys_of
from labeler.store.datasets.image_files import image_folders, resolve_image_file
from labeler.store.engine.checksums import checksum, verified
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    NearDuplicateNeighbourRow,
    NearDuplicateSearchRow,
    RevisionDatasetRow,
)

_PACKED = np.dtype([("image", "<i4"), ("distance", "<f8")])

PackedNeighbours = NDArray[np.void]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedImage:
    """An image that takes part in a search: its id, class and file."""

    id: int
    key: ImageKey
    role: DatasetRole
    wnid: str
    file: ImageFile


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRecord:
    """The last search in a metric; without `finished_at` it can be resumed."""

    metric: DuplicateMetric
    limit: float
    parameters: Mapping[str, Any]
    images: int
    recall: float | None = None
    began_at: str = ""
    finished_at: str | None = None


def pack_neighbours(images: Iterable[int], distances: Iterable[float]) -> PackedNeighbours:
    """Return neighbours as they are stored, in the order given."""
    ids, values = list(images), list(distances)
    packed = np.zeros(len(ids), dtype=_PACKED)
    packed["image"], packed["distance"] = ids, values
    return packed


class DuplicateSearches:
    """The searches of a study and the neighbours that they found."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    # Images.

    def images(self, datasets: Collection[str] | None = None) -> list[ComparedImage]:
        """Return the images that have a file, in the order of their datasets.

        A revision that was added as a dataset is left out: its images are those of the pool, and
        would protect the set against itself.
        """
        query = (
            select(
                ImageRow.id,
                DatasetRow.name,
                ImageRow.name,
                DatasetRow.role,
                ClassRow.wnid,
                DatasetRow.root,
                ImageRow.path,
                DatasetRow.apply_exif,
                ImageRow.content_hash,
            )
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(DatasetRow.complete, DatasetRow.id.not_in(select(RevisionDatasetRow.dataset_id)))
            .order_by(DatasetRow.id, ImageRow.ordinal)
        )
        if datasets is not None:
            query = query.where(DatasetRow.name.in_(list(datasets)))
        found = []
        folders = image_folders(self._session)
        for (
            number,
            dataset,
            name,
            role,
            wnid,
            root,
            path,
            apply_exif,
            content,
        ) in self._session.execute(query):
            file = resolve_image_file(
                root=root,
                name=name,
                path=path,
                apply_exif=apply_exif,
                content_hash=content,
                folder=folders.get(dataset),
            )
            if file is not None:
                key = ImageKey(dataset, name)
                found.append(ComparedImage(id=number, key=key, role=role, wnid=wnid, file=file))
        return found

    def keys(self, ids: Collection[int]) -> dict[int, ImageKey]:
        """Return the names of these images."""
        return keys_of(self._session, ids)

    def ids(self) -> Mapping[ImageKey, int]:
        """Return the number of every image of the study."""
        return self._ids

    @cached_property
    def _ids(self) -> dict[ImageKey, int]:
        return all_ids(self._session)

    # Searches and distances.

    def records(self) -> dict[DuplicateMetric, SearchRecord]:
        rows = self._session.scalars(select(NearDuplicateSearchRow))
        return {
            row.metric: SearchRecord(
                metric=row.metric,
                limit=row.pair_limit,
                parameters=json.loads(row.parameters),
                images=row.images,
                recall=row.recall,
                began_at=row.began_at,
                finished_at=row.finished_at,
            )
            for row in rows
        }

    def begin(
        self,
        metric: DuplicateMetric,
        *,
        limit: float,
        parameters: Mapping[str, Any],
        images: int,
    ) -> SearchRecord:
        """Begin a search, or resume one with the same parameters; others delete its distances."""
        known = self._session.get(NearDuplicateSearchRow, metric)
        text = json.dumps(parameters, sort_keys=True)
        if known is not None and known.parameters != text:
            self.clear(metric)
            known = None
        if known is None:
            known = NearDuplicateSearchRow(metric=metric, began_at=stamp(self._clock.utc()))
            self._session.add(known)
        known.pair_limit, known.parameters, known.images = limit, text, images
        known.finished_at = None
        self._session.flush()
        return self.records()[metric]

    def finish(self, metric: DuplicateMetric, *, recall: float | None) -> None:
        self._session.execute(
            update(NearDuplicateSearchRow)
            .where(NearDuplicateSearchRow.metric == metric)
            .values(recall=recall, finished_at=stamp(self._clock.utc()))
        )

    def clear(self, metric: DuplicateMetric | None = None) -> None:
        """Delete the distances of a metric, or of all; verdicts stay."""
        for row in (NearDuplicateNeighbourRow, NearDuplicateSearchRow):
            query = delete(row)
            self._session.execute(query if metric is None else query.where(row.metric == metric))

    def put_neighbours(
        self,
        metric: DuplicateMetric,
        found: Mapping[int, PackedNeighbours],
        *,
        complete: bool = True,
    ) -> None:
        """Store the neighbours of images; what was found before is replaced."""
        ids = list(found)
        for start in range(0, len(ids), MOST_PARAMETERS):
            self._session.execute(
                delete(NearDuplicateNeighbourRow).where(
                    NearDuplicateNeighbourRow.metric == metric,
                    NearDuplicateNeighbourRow.image_id.in_(ids[start : start + MOST_PARAMETERS]),
                )
            )
        rows = []
        for number, packed in found.items():
            value = packed.tobytes()
            rows.append(
                {
                    "metric": metric,
                    "image_id": number,
                    "complete": complete,
                    "neighbours": value,
                    "neighbours_checksum": checksum(value),
                }
            )
        if rows:
            self._session.execute(insert(NearDuplicateNeighbourRow), rows)

    def computed(self, metric: DuplicateMetric) -> set[int]:
        """Return the images whose neighbours are complete."""
        query = select(NearDuplicateNeighbourRow.image_id).where(
            NearDuplicateNeighbourRow.metric == metric, NearDuplicateNeighbourRow.complete
        )
        return set(self._session.scalars(query))

    def neighbours(
        self, metric: DuplicateMetric, images: Collection[int] | None = None
    ) -> dict[int, PackedNeighbours]:
        """Return the neighbours of all or some images, nearest first."""
        query = select(
            NearDuplicateNeighbourRow.image_id,
            NearDuplicateNeighbourRow.neighbours,
            NearDuplicateNeighbourRow.neighbours_checksum,
        ).where(NearDuplicateNeighbourRow.metric == metric)
        if images is not None:
            query = query.where(NearDuplicateNeighbourRow.image_id.in_(list(images)))
        place = "near_duplicate_neighbour.neighbours"
        return {
            number: np.frombuffer(verified(value, stored, place), dtype=_PACKED)
            for number, value, stored in self._session.execute(query)
        }

    def named_neighbours(
        self, metric: DuplicateMetric, image: ImageKey
    ) -> tuple[Neighbour, ...] | None:
        """Return the neighbours of one image by name, or None if they weren't computed."""
        found = self.neighbours(metric, [id_of(self._session, image)])
        if not found:
            return None
        (packed,) = found.values()
        keys = self.keys({int(number) for number in packed["image"]})
        return tuple(
            Neighbour(keys[int(number)], float(distance))
            for number, distance in packed
            if int(number) in keys
        )
