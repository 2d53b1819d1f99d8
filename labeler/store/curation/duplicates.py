"""Distances between images, verdicts about pairs, and the sets of near-duplicates."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.curation.duplicate_sets import duplicate_pairs, duplicate_sets
from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.curation.near_duplicates import (
    ImagePair,
    JudgedPair,
    Neighbour,
    current_verdicts,
)
from labeler.core.curation.sample_check import OverlapPlace, SampleOverlap
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.store.datasets.image_files import image_folders, resolve_image_file
from labeler.store.engine.checksums import checksum, verified
from labeler.store.schema import (
    CandidateRow,
    ClassRow,
    DatasetRow,
    ImageRow,
    NearDuplicateChoiceRow,
    NearDuplicateMemberRow,
    NearDuplicateNeighbourRow,
    NearDuplicateSearchRow,
    NearDuplicateVerdictRow,
    ParticipantRow,
    ReferenceRow,
    RevisionDatasetRow,
    TrainingPoolRow,
)

_PACKED = np.dtype([("image", "<i4"), ("distance", "<f8")])
_MOST_PARAMETERS = 500

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


class NearDuplicates:
    """The searches, distances, verdicts and sets of a study, for the lead."""

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
        numbers, keys = sorted(ids), {}
        for start in range(0, len(numbers), _MOST_PARAMETERS):
            query = (
                select(ImageRow.id, DatasetRow.name, ImageRow.name)
                .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
                .where(ImageRow.id.in_(numbers[start : start + _MOST_PARAMETERS]))
            )
            for number, dataset, name in self._session.execute(query):
                keys[number] = ImageKey(dataset, name)
        return keys

    def same_source(self) -> list[ImagePair]:
        """Return candidates of one source id, or with the same content, in several classes."""
        one, other = aliased(CandidateRow), aliased(CandidateRow)
        first, second = aliased(ImageRow), aliased(ImageRow)
        by_source = (
            select(one.image_id, other.image_id)
            .join(other, (other.source == one.source) & (other.source_id == one.source_id))
            .where(one.source_id != "", one.image_id < other.image_id)
        )
        by_content = (
            select(first.id, second.id)
            .join(one, one.image_id == first.id)
            .join(second, second.content_hash == first.content_hash)
            .join(other, other.image_id == second.id)
            .where(first.id < second.id)
        )
        pairs = {
            (a, b) for query in (by_source, by_content) for a, b in self._session.execute(query)
        }
        keys = self.keys({number for pair in pairs for number in pair})
        return sorted(ImagePair.of(keys[a], keys[b]) for a, b in pairs)

    # Searches and distances.

    def searches(self) -> dict[DuplicateMetric, SearchRecord]:
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
        return self.searches()[metric]

    def finish(self, metric: DuplicateMetric, *, recall: float | None) -> None:
        self._session.execute(
            update(NearDuplicateSearchRow)
            .where(NearDuplicateSearchRow.metric == metric)
            .values(recall=recall, finished_at=stamp(self._clock.utc()))
        )

    def set_limit(self, metric: DuplicateMetric, limit: float) -> None:
        """Change the limit of a search; distances don't depend on it."""
        self._session.execute(
            update(NearDuplicateSearchRow)
            .where(NearDuplicateSearchRow.metric == metric)
            .values(pair_limit=limit)
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
        for start in range(0, len(ids), _MOST_PARAMETERS):
            self._session.execute(
                delete(NearDuplicateNeighbourRow).where(
                    NearDuplicateNeighbourRow.metric == metric,
                    NearDuplicateNeighbourRow.image_id.in_(ids[start : start + _MOST_PARAMETERS]),
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
        found = self.neighbours(metric, [self._id(image)])
        if not found:
            return None
        (packed,) = found.values()
        keys = self.keys({int(number) for number in packed["image"]})
        return tuple(
            Neighbour(keys[int(number)], float(distance))
            for number, distance in packed
            if int(number) in keys
        )

    # Verdicts.

    def judge(self, judged: Iterable[JudgedPair], *, withdrawn: bool = False) -> None:
        """Store verdicts as the next revision of each reviewer's, and recompute the sets."""
        for judgement in judged:
            first, second = sorted(
                (self._id(judgement.pair.first), self._id(judgement.pair.second))
            )
            person = self._person(judgement.reviewer)
            key = {
                "image_a_id": first,
                "image_b_id": second,
                "metric": judgement.metric,
                "participant_id": person,
            }
            last = select(func.max(NearDuplicateVerdictRow.revision)).filter_by(**key)
            self._session.add(
                NearDuplicateVerdictRow(
                    **key,
                    revision=(self._session.scalar(last) or 0) + 1,
                    distance=judgement.distance,
                    verdict=judgement.verdict,
                    at=judgement.at,
                    withdrawn=withdrawn,
                )
            )
            self._session.flush()
        self.recompute_sets()

    def judged(self) -> list[JudgedPair]:
        """Return the last verdict of each reviewer about each pair and metric."""
        rows = self._session.scalars(
            select(NearDuplicateVerdictRow).order_by(
                NearDuplicateVerdictRow.image_a_id,
                NearDuplicateVerdictRow.image_b_id,
                NearDuplicateVerdictRow.metric,
                NearDuplicateVerdictRow.participant_id,
                NearDuplicateVerdictRow.revision,
            )
        ).all()
        last = {(r.image_a_id, r.image_b_id, r.metric, r.participant_id): r for r in rows}
        given = [row for row in last.values() if not row.withdrawn]
        keys = self.keys({n for row in given for n in (row.image_a_id, row.image_b_id)})
        codes = dict(self._session.execute(select(ParticipantRow.id, ParticipantRow.code)).all())
        return [
            JudgedPair(
                ImagePair.of(keys[row.image_a_id], keys[row.image_b_id]),
                row.verdict,
                codes[row.participant_id],
                row.at,
                row.metric,
                row.distance,
            )
            for row in given
        ]

    def verdicts(self) -> dict[ImagePair, JudgedPair]:
        """Return the verdict that counts for each pair."""
        return current_verdicts(self.judged())

    def sets(self) -> list[tuple[ImageKey, ...]]:
        """Return the sets of near-duplicates, by verdicts and by equal sources."""
        return duplicate_sets(self._joined())

    def sets_with(self, images: Collection[ImageKey]) -> list[tuple[ImageKey, ...]]:
        """Return the stored sets that contain any of these images, without reading verdicts."""
        members: dict[int, list[int]] = defaultdict(list)
        columns = select(NearDuplicateMemberRow.set_id, NearDuplicateMemberRow.image_id)
        for set_id, number in self._session.execute(columns):
            members[set_id].append(number)
        if not members:
            return []
        wanted = set(self._ids_of(images).values())
        found = [numbers for numbers in members.values() if not wanted.isdisjoint(numbers)]
        keys = self.keys([number for numbers in found for number in numbers])
        return sorted(tuple(sorted(keys[n] for n in numbers)) for numbers in found)

    def recompute_sets(self) -> None:
        """Store which set each image belongs to, so that queries can follow near-duplicates."""
        self._session.execute(delete(NearDuplicateMemberRow))
        rows = []
        sets = self.sets()
        ids = self._ids_of([key for members in sets for key in members])
        for members in sets:
            numbers = [ids[key] for key in members]
            rows += [{"image_id": number, "set_id": min(numbers)} for number in numbers]
        if rows:
            self._session.execute(insert(NearDuplicateMemberRow), rows)

    def joined_distances(self) -> dict[ImagePair, float]:
        """Return the duplicate pairs with their distances, which are 0 for equal sources."""
        verdicts = self.verdicts()
        found = {pair: verdicts[pair].distance or 0.0 for pair in duplicate_pairs(verdicts)}
        return {**dict.fromkeys(self._sources(verdicts), 0.0), **found}

    # The sample.

    def overlaps(self, images: Collection[ImageKey]) -> list[SampleOverlap]:
        """Return the near-duplicates of these images that were confirmed or are still open."""
        wanted = {self._ids[key] for key in images if key in self._ids}
        in_sets = self._pairs_of_sets(wanted)
        pairs = self._pairs_within_limits(wanted) | in_sets
        if not pairs:
            return []
        verdicts = self.verdicts()
        keys = self.keys({number for pair in pairs for number in pair})
        references = set(self._session.scalars(select(ReferenceRow.image_id)))
        trained = set(self._session.scalars(select(TrainingPoolRow.image_id)))
        found = set()
        for sampled, other in pairs:
            judged = verdicts.get(ImagePair.of(keys[sampled], keys[other]))
            if judged is not None and judged.verdict is PairVerdict.DISTINCT:
                continue
            place = OverlapPlace.SAMPLE if other in wanted else OverlapPlace.DATASET
            if other in trained:
                place = OverlapPlace.TRAINING
            if other in references:
                place = OverlapPlace.REFERENCES
            # Joined directly, or through other images of the set.
            confirmed = (sampled, other) in in_sets
            found.add(SampleOverlap(place, keys[sampled], keys[other], confirmed))
        return sorted(found)

    def _pairs_within_limits(self, wanted: set[int]) -> set[tuple[int, int]]:
        pairs: set[tuple[int, int]] = set()
        for metric, record in self.searches().items():
            for number, packed in self.neighbours(metric).items():
                near = packed["image"][packed["distance"] <= record.limit]
                for other in map(int, near):
                    pairs |= {(number, other)} if number in wanted else set()
                    pairs |= {(other, number)} if other in wanted else set()
        return pairs

    def _pairs_of_sets(self, wanted: set[int]) -> set[tuple[int, int]]:
        """Return the duplicates of images directly or through others."""
        members: dict[int, list[int]] = defaultdict(list)
        columns = select(NearDuplicateMemberRow.image_id, NearDuplicateMemberRow.set_id)
        for number, set_id in self._session.execute(columns):
            members[set_id].append(number)
        return {
            (one, other)
            for found in members.values()
            for one in found
            if one in wanted
            for other in found
            if other != one
        }

    # Survivors.

    def choose_survivor(self, image: ImageKey, *, by: str) -> None:
        """Keep this image of its set; the choice for another image of the set is withdrawn."""
        members = next((found for found in self.sets() if image in found), None)
        if members is None:
            raise RefusedError(f"{image.dataset}: {image.image} is in no near-duplicate set.")
        now = stamp(self._clock.utc())
        self._withdraw_choices(members, at=now)
        self._session.add(
            NearDuplicateChoiceRow(
                image_id=self._id(image), participant_id=self._person(by), at=now
            )
        )
        self._session.flush()

    def withdraw_survivor(self, image: ImageKey) -> None:
        """Let the rule decide about the set of this image again; the choice stays on record."""
        self._withdraw_choices([image], at=stamp(self._clock.utc()))

    def _withdraw_choices(self, images: Collection[ImageKey], *, at: str) -> None:
        self._session.execute(
            update(NearDuplicateChoiceRow)
            .where(
                NearDuplicateChoiceRow.image_id.in_(list(self._ids_of(images).values())),
                NearDuplicateChoiceRow.withdrawn_at.is_(None),
            )
            .values(withdrawn_at=at)
        )

    def chosen(self) -> frozenset[ImageKey]:
        """Return the images that the lead chose to keep."""
        query = select(NearDuplicateChoiceRow.image_id).where(
            NearDuplicateChoiceRow.withdrawn_at.is_(None)
        )
        return frozenset(self.keys(list(self._session.scalars(query))).values())

    def _joined(self) -> Sequence[ImagePair]:
        verdicts = self.verdicts()
        return [*duplicate_pairs(verdicts), *self._sources(verdicts)]

    def _sources(self, verdicts: Mapping[ImagePair, JudgedPair]) -> list[ImagePair]:
        """Return pairs of equal sources, unless they were judged to be distinct."""
        return [
            pair
            for pair in self.same_source()
            if pair not in verdicts or verdicts[pair].verdict is not PairVerdict.DISTINCT
        ]

    def _ids_of(self, images: Collection[ImageKey]) -> dict[ImageKey, int]:
        """Return the numbers of some images, without reading those of all."""
        names: dict[str, list[str]] = defaultdict(list)
        for key in images:
            names[key.dataset].append(key.image)
        found = {}
        for dataset, of_dataset in names.items():
            for start in range(0, len(of_dataset), _MOST_PARAMETERS):
                query = (
                    select(ImageRow.name, ImageRow.id)
                    .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
                    .where(DatasetRow.name == dataset)
                    .where(ImageRow.name.in_(of_dataset[start : start + _MOST_PARAMETERS]))
                )
                for name, number in self._session.execute(query):
                    found[ImageKey(dataset, name)] = number
        return found

    def ids(self) -> Mapping[ImageKey, int]:
        """Return the number of every image of the study."""
        return self._ids

    @cached_property
    def _ids(self) -> dict[ImageKey, int]:
        query = select(DatasetRow.name, ImageRow.name, ImageRow.id).join(
            DatasetRow, DatasetRow.id == ImageRow.dataset_id
        )
        return {ImageKey(data, name): number for data, name, number in self._session.execute(query)}

    def _id(self, image: ImageKey) -> int:
        query = (
            select(ImageRow.id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == image.dataset, ImageRow.name == image.image)
        )
        found = self._session.scalar(query)
        if found is None:
            raise RefusedError(f"The study has no image {image.dataset}: {image.image}.")
        return found

    def _person(self, code: str) -> int:
        found = self._session.scalar(select(ParticipantRow.id).where(ParticipantRow.code == code))
        if found is None:
            raise RefusedError(f"The study has no participant '{code}'.")
        return found
