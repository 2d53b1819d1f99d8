"""The evaluation sample: frozen when drawn, revealed when the evaluation is locked."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.hidden_repeats import repeat_count
from labeler.core.datasets.sampling import SampleCandidate, SampleRequest
from labeler.core.datasets.washout import EarlierExposure, JudgedImage
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.datasets.exposures import (
    images_judged_by_labelers,
    sample_images_reviewed,
    sample_images_trained_on,
)
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    NotShownRow,
    ParticipantRow,
    SampleDatasetRow,
    SampleImageRow,
    SampleRow,
    TrialRow,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleVersions:
    """The versions with which a sample was drawn."""

    taxonomy: str
    guide: str
    program: str


@dataclass(frozen=True, slots=True)
class Sample:
    """The study's sample: the request, and how many images were drawn."""

    request: SampleRequest
    versions: SampleVersions
    drawn_at: str
    images: int


class Samples:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def freeze(
        self, request: SampleRequest, images: Sequence[ImageKey], versions: SampleVersions
    ) -> None:
        """Make this the study's sample; the earlier one is kept as retired."""
        now = stamp(self._clock.utc())
        earlier = self._current()
        if earlier is not None:
            earlier.retired_at = now
        sample = SampleRow(
            identity=str(uuid.uuid4()),
            seed=request.seed,
            per_class=request.per_class,
            class_count=request.class_count,
            repeats=request.repeats,
            taxonomy_version=versions.taxonomy,
            guide_version=versions.guide,
            program_version=versions.program,
            drawn_at=now,
        )
        self._session.add(sample)
        self._session.flush()
        self._put_datasets(sample.id, request.datasets)
        self._put_images(sample.id, images)

    def current(self) -> Sample | None:
        row = self._current()
        if row is None:
            return None
        versions = SampleVersions(
            taxonomy=row.taxonomy_version, guide=row.guide_version, program=row.program_version
        )
        request = SampleRequest(
            self._datasets(row.id), row.per_class, row.seed, row.class_count, row.repeats
        )
        return Sample(request, versions, row.drawn_at, self.size())

    def size(self) -> int:
        sample = self._current()
        if sample is None:
            return 0
        query = select(func.count()).where(SampleImageRow.sample_id == sample.id)
        return self._session.scalar(query) or 0

    def repeated_images(self) -> int:
        """Return how many images of the sample each labeler is asked twice."""
        sample = self._current()
        return 0 if sample is None else repeat_count(self.size(), sample.repeats)

    def images(self) -> list[ImageKey]:
        """Return the sample's images in their shuffled order."""
        return [candidate.key for candidate in self.candidates()]

    def candidates(self) -> list[SampleCandidate]:
        """Return the sample's images with targets and contents; for leads only."""
        sample = self._current()
        if sample is None:
            return []
        query = (
            select(DatasetRow.name, ImageRow.name, ClassRow.wnid, ImageRow.content_hash)
            .select_from(SampleImageRow)
            .join(ImageRow, ImageRow.id == SampleImageRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(SampleImageRow.sample_id == sample.id)
            .order_by(SampleImageRow.position)
        )
        return [
            SampleCandidate(ImageKey(dataset, name), wnid, content_hash)
            for dataset, name, wnid, content_hash in self._session.execute(query)
        ]

    def trained_on(self) -> list[tuple[str, ImageKey]]:
        """Return labelers with the sampled images they trained on; for the lead."""
        return sample_images_trained_on(self._session)

    def reviewed(self) -> list[EarlierExposure]:
        """Return labelers with the sampled images they reviewed; for the lead."""
        return sample_images_reviewed(self._session)

    def judged_by_labelers(self) -> list[JudgedImage]:
        """Return every image whose labels a labeler judged, sampled or not; for the lead."""
        return images_judged_by_labelers(self._session)

    def not_shown(self) -> list[tuple[str, ImageKey]]:
        """Return labelers with the images that couldn't be shown to them; for the lead."""
        query = (
            select(ParticipantRow.code, DatasetRow.name, ImageRow.name)
            .select_from(NotShownRow)
            .join(TrialRow, TrialRow.id == NotShownRow.trial_id)
            .join(ParticipantRow, ParticipantRow.id == TrialRow.participant_id)
            .join(ImageRow, ImageRow.id == TrialRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(NotShownRow.withdrawn_at.is_(None))
            .order_by(NotShownRow.id)
        )
        rows = self._session.execute(query)
        return [(code, ImageKey(dataset, name)) for code, dataset, name in rows]

    def _current(self) -> SampleRow | None:
        return self._session.scalar(select(SampleRow).where(SampleRow.retired_at.is_(None)))

    def _datasets(self, sample_id: int) -> tuple[str, ...]:
        query = (
            select(DatasetRow.name)
            .join(SampleDatasetRow, SampleDatasetRow.dataset_id == DatasetRow.id)
            .where(SampleDatasetRow.sample_id == sample_id)
            .order_by(SampleDatasetRow.position)
        )
        return tuple(self._session.scalars(query))

    def _put_datasets(self, sample_id: int, names: Sequence[str]) -> None:
        for position, name in enumerate(names):
            dataset_id = self._session.scalar(select(DatasetRow.id).where(DatasetRow.name == name))
            if dataset_id is None:
                raise RefusedError(f"The study has no dataset '{name}'.")
            self._session.add(
                SampleDatasetRow(sample_id=sample_id, position=position, dataset_id=dataset_id)
            )
        self._session.flush()

    def _put_images(self, sample_id: int, images: Sequence[ImageKey]) -> None:
        query = select(DatasetRow.name, ImageRow.name, ImageRow.id).join(
            DatasetRow, DatasetRow.id == ImageRow.dataset_id
        )
        datasets = {key.dataset for key in images}
        rows = self._session.execute(query.where(DatasetRow.name.in_(datasets)))
        ids = {ImageKey(dataset, name): image_id for dataset, name, image_id in rows}
        if images:
            self._session.execute(
                insert(SampleImageRow),
                [
                    {"sample_id": sample_id, "position": position, "image_id": ids[key]}
                    for position, key in enumerate(images)
                ],
            )
