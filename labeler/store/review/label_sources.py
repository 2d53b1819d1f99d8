"""The sources of labels, used to plan a review and never shown to reviewers.

The results are pairs without a source: one set for humans and one for models.
"""

from collections.abc import Iterator

import numpy as np
from sqlalchemy import Select, and_, exists, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from labeler.core.review.blinding import ImageLabelPair
from labeler.core.study.entities import DatasetRole, ImageKey, Role, SessionTask, Stage
from labeler.store.models.predictions import NO_LABEL, unpack_row
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    ModelPredictionsRow,
    MultilabelRow,
    ParticipantRoleRow,
    PhaseRow,
    PredictionRow,
    ReviewDecoyRow,
    ReviewItemRow,
    ReviewPlanRow,
    ReviewRow,
    SampleImageRow,
    SampleRow,
    TrainingPoolRow,
)

LabelColumn = InstrumentedAttribute[int] | InstrumentedAttribute[int | None]

# Larger than any class index: packs an image's ordinal and a class into one integer.
_CLASS_LIMIT = NO_LABEL + 1

_SAMPLE_IMAGES = (
    select(SampleImageRow.image_id)
    .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
    .where(SampleRow.retired_at.is_(None))
)
_IN_EVALUATION_DATASET = and_(DatasetRow.role == DatasetRole.EVALUATION, DatasetRow.complete)


# Rows of these tables are only added or removed, so that a change shows in the count.
_COUNTED_TABLES = (
    ImageRow,
    ModelPredictionsRow,
    MultilabelRow,
    PredictionRow,
    ReviewItemRow,
    ReviewPlanRow,
    ReviewRow,
    SampleImageRow,
    TrainingPoolRow,
)
_STATE_QUERIES = (
    select(PhaseRow.phase, PhaseRow.state).order_by(PhaseRow.phase),
    select(DatasetRow.id).where(DatasetRow.complete),
    select(ParticipantRoleRow.participant_id).where(ParticipantRoleRow.role == Role.REVIEWER),
    select(SampleRow.id).where(SampleRow.retired_at.is_(None)),
    select(func.max(ModelPredictionsRow.made_at)),
)

SourceState = tuple[object, ...]


class LabelSources:
    def __init__(self, session: Session) -> None:
        self._session = session

    def state(self) -> SourceState:
        """Return a summary of the data that a plan depends on; it differs after any change."""
        counts = (
            self._session.scalar(select(func.count()).select_from(row)) for row in _COUNTED_TABLES
        )
        states = (tuple(map(tuple, self._session.execute(query))) for query in _STATE_QUERIES)
        return (*counts, *states)

    def targets(self, *, sample_only: bool = False) -> dict[ImageKey, str]:
        """Return the targets of the images that can be reviewed: those not used for training."""
        query = (
            select(DatasetRow.name, ImageRow.name, ClassRow.wnid)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(_IN_EVALUATION_DATASET)
            .where(ImageRow.id.not_in(select(TrainingPoolRow.image_id)))
        )
        if sample_only:
            query = query.where(ImageRow.id.in_(_SAMPLE_IMAGES))
        return {ImageKey(dataset, image): wnid for dataset, image, wnid in self._rows(query)}

    def first_predictions(self) -> frozenset[ImageLabelPair]:
        """Return the distinct first predictions of all models."""
        wnids = dict(self._session.execute(select(ClassRow.id, ClassRow.wnid)).all())
        pairs: set[ImageLabelPair] = set()
        for dataset_id, name in self._evaluation_datasets():
            images = self._names(dataset_id)
            for code in self._distinct_guesses(dataset_id):
                ordinal, label = divmod(code, _CLASS_LIMIT)
                pairs.add(ImageLabelPair(ImageKey(name, images[ordinal]), wnids[label]))
        return frozenset(pairs)

    def human_answers(self) -> frozenset[ImageLabelPair]:
        """Return every human's last prediction and alternative on every evaluation image."""
        labels: tuple[LabelColumn, ...] = (PredictionRow.class_id, PredictionRow.alternative_id)
        return frozenset(pair for label in labels for pair in self._answered(label))

    def judged(self, *stages: Stage) -> frozenset[ImageLabelPair]:
        """Return pairs with a verdict in one of the stages, or with an imported state.

        Decoys are not among them: if someone proposes one later, it is judged as a proposed label.
        """
        is_decoy = exists().where(
            ReviewDecoyRow.stage == ReviewRow.stage,
            ReviewDecoyRow.image_id == ReviewRow.image_id,
            ReviewDecoyRow.class_id == ReviewRow.class_id,
        )
        reviewed = _pairs_of(ReviewRow.image_id, ReviewRow.class_id).where(
            ReviewRow.stage.in_(stages), ~ReviewRow.withdrawn, ~is_decoy
        )
        resolved = _pairs_of(MultilabelRow.image_id, MultilabelRow.class_id)
        return frozenset(
            ImageLabelPair(ImageKey(dataset, image), wnid)
            for query in (reviewed.distinct(), resolved)
            for dataset, image, wnid in self._rows(query)
        )

    def _answered(self, label: LabelColumn) -> Iterator[ImageLabelPair]:
        later = aliased(PredictionRow)
        corrected = exists().where(
            later.participant_id == PredictionRow.participant_id,
            later.image_id == PredictionRow.image_id,
            later.task == SessionTask.EVALUATE,
            later.revision > PredictionRow.revision,
        )
        query = _pairs_of(PredictionRow.image_id, label).where(
            PredictionRow.task == SessionTask.EVALUATE, ~corrected, _IN_EVALUATION_DATASET
        )
        for dataset, image, wnid in self._rows(query.distinct()):
            yield ImageLabelPair(ImageKey(dataset, image), wnid)

    def _evaluation_datasets(self) -> list[tuple[int, str]]:
        query = select(DatasetRow.id, DatasetRow.name).where(_IN_EVALUATION_DATASET)
        return [(number, name) for number, name in self._session.execute(query)]

    def _names(self, dataset_id: int) -> dict[int, str]:
        query = select(ImageRow.ordinal, ImageRow.name).where(ImageRow.dataset_id == dataset_id)
        return dict(self._session.execute(query).all())

    def _distinct_guesses(self, dataset_id: int) -> list[int]:
        """Return ordinal and label of each first prediction as one integer, without duplicates."""
        found = [np.empty(0, np.int64)]
        rows = select(ModelPredictionsRow).where(ModelPredictionsRow.dataset_id == dataset_id)
        for row in self._session.scalars(rows):
            labels = unpack_row(row).labels[:, 0].astype(np.int64)
            given = np.flatnonzero(labels != NO_LABEL)
            found.append(given * _CLASS_LIMIT + labels[given])
        # Sorting and comparing is twenty times as fast as np.unique here.
        codes = np.sort(np.concatenate(found))
        distinct: list[int] = codes[np.diff(codes, prepend=-1) != 0].tolist()
        return distinct

    def _rows(self, query: Select[str, str, str]) -> Iterator[tuple[str, str, str]]:
        yield from self._session.execute(query)


def _pairs_of(image_id: InstrumentedAttribute[int], class_id: LabelColumn) -> Select[str, str, str]:
    return (
        select(DatasetRow.name, ImageRow.name, ClassRow.wnid)
        # PostgreSQL requires that each join names only tables before it.
        .select_from(image_id.class_)
        .join(ImageRow, ImageRow.id == image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == class_id)
    )
