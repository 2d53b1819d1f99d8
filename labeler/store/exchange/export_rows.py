"""The sorted rows of datasets.csv, participants.csv, reviews.csv and multilabels.csv."""

from collections.abc import Callable, Iterator
from math import isnan
from typing import Any

import numpy as np
from sqlalchemy import Row as SqlRow
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from labeler.core.study.entities import ParticipantKind
from labeler.core.study.exchange_rows import (
    FIRST_REVISION,
    ReviewOrigin,
    format_reasons,
    format_score,
    format_seconds,
)
from labeler.store.datasets.image_files import resolve_image_path
from labeler.store.exchange.human_answers import (
    evaluation_answers,
    latest_answers,
    said_to_be_known,
)
from labeler.store.exchange.label_origins import stored_origins
from labeler.store.exchange.lookups import evaluation_datasets, problem_reasons_by_image
from labeler.store.exchange.prediction_arrays import IntArray, exact_scores
from labeler.store.exchange.review_queries import latest_reviews, reviews_with_history
from labeler.store.exchange.reviews import step_text
from labeler.store.models.predictions import NO_LABEL, PackedPredictions, unpack_row
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    ModelPredictionsRow,
    MultilabelRow,
    ParticipantRow,
    PersonRow,
)
from labeler.store.schema.row_ids import class_ids

# Rows fetched from the database at a time.
FETCH_SIZE = 10_000

ExportRow = tuple[object, ...]


def dataset_export_rows(session: Session) -> Iterator[ExportRow]:
    """Yield the images by dataset and ordinal."""
    for dataset_id, dataset in evaluation_datasets(session):
        reasons = problem_reasons_by_image(session, dataset)
        query = (
            select(ImageRow.id, ImageRow.name, ClassRow.wnid, ImageRow.path, DatasetRow.root)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(ImageRow.dataset_id == dataset_id)
            .order_by(ImageRow.ordinal)
            .execution_options(yield_per=FETCH_SIZE)
        )
        for image_id, name, target, path, root in session.execute(query):
            location = resolve_image_path(root=root, name=name, path=path)
            yield dataset, name, target, location, format_reasons(reasons.get(image_id, ()))


def participant_export_rows(session: Session, *, names: bool) -> Iterator[ExportRow]:
    """Yield the participants in the order they were added, with names on request."""
    query = (
        select(ParticipantRow.code, ParticipantRow.kind, ParticipantRow.description)
        .add_columns(PersonRow.name)
        .outerjoin(PersonRow, PersonRow.participant_id == ParticipantRow.id)
        .order_by(ParticipantRow.id)
    )
    for code, kind, description, name in session.execute(query):
        yield (code, kind, description, name or "") if names else (code, kind, description)


def review_export_rows(session: Session, *, history: bool = False) -> Iterator[ExportRow]:
    """Yield verdicts by reviewer, dataset, image and label, initial before final.

    `history` includes the verdicts that were changed.
    """
    review = (reviews_with_history() if history else latest_reviews()).c
    datasets = [number for number, _ in evaluation_datasets(session)]
    origins = stored_origins(session)
    query = (
        select(ParticipantRow.code, DatasetRow.name, ImageRow.name, ClassRow.wnid)
        .add_columns(review.verdict, review.kind, review.stage, review.at)
        .add_columns(review.image_id, review.class_id)
        .add_columns(review.discussed, review.active_ms, review.note, review.revision)
        .join(ParticipantRow, ParticipantRow.id == review.participant_id)
        .join(ImageRow, ImageRow.id == review.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == review.class_id)
        .where(DatasetRow.id.in_(datasets))
        .order_by(ParticipantRow.id, DatasetRow.id, ImageRow.ordinal, ClassRow.id)
        .order_by(review.stage.desc(), review.revision)
        .execution_options(yield_per=FETCH_SIZE)
    )
    for row in session.execute(query):
        *names, verdict, kind, stage, at, image, label, discussed, ms, note, revision = row
        origin = origins.get((str(stage), image, label), ReviewOrigin.PROPOSED)
        added = (origin, step_text(discussed), format_seconds(ms), note, revision)
        yield (*names, verdict, kind or "", stage, at or "", *added)


def multilabel_export_rows(session: Session) -> Iterator[ExportRow]:
    """Yield the resolved states by dataset, image and label."""
    datasets = [number for number, _ in evaluation_datasets(session)]
    query = (
        select(DatasetRow.name, ImageRow.name, ClassRow.wnid, MultilabelRow.state)
        .join(ImageRow, ImageRow.id == MultilabelRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == MultilabelRow.class_id)
        .where(DatasetRow.id.in_(datasets))
        .order_by(DatasetRow.id, ImageRow.ordinal, ClassRow.id)
        .execution_options(yield_per=FETCH_SIZE)
    )
    yield from session.execute(query)


# In models' rows: the columns from active_seconds on.
_HUMAN_ONLY_COLUMNS = ("", "", "", "0", "", "", "0", "", "", FIRST_REVISION)


def prediction_export_rows(
    session: Session,
    step: Callable[[int, int], None],
    *,
    ranks: int | None = None,
    history: bool = False,
) -> Iterator[ExportRow]:
    """Yield all answers; of models, the first `ranks` guesses or all.

    `history` includes the answers that people corrected. `step` is called with the number of
    finished participants and the total.
    """
    export = _PredictionExport(session, ranks, history=history)
    query = select(ParticipantRow.id, ParticipantRow.code, ParticipantRow.kind)
    participants = session.execute(query.order_by(ParticipantRow.id)).all()
    for done, (number, code, kind) in enumerate(participants, start=1):
        yield from export.of_model(number, code) if kind is ParticipantKind.MODEL else ()
        yield from export.of_human(number, code)
        step(done, len(participants))


def human_export_rows(session: Session) -> Iterator[ExportRow]:
    """Yield the answers of people only."""
    export = _PredictionExport(session)
    query = select(ParticipantRow.id, ParticipantRow.code)
    people = query.where(ParticipantRow.kind == ParticipantKind.HUMAN).order_by(ParticipantRow.id)
    for number, code in session.execute(people).all():
        yield from export.of_human(number, code)


def model_prediction_counts(
    session: Session, *, ranks: int | None = None
) -> Iterator[tuple[str, str, int]]:
    """Yield models and datasets with their number of rows, without building millions of rows."""
    names = dict(evaluation_datasets(session))
    model = ModelPredictionsRow
    query = (
        select(ParticipantRow.code, model.participant_id, model.dataset_id)
        .join(ParticipantRow, ParticipantRow.id == model.participant_id)
        .where(model.dataset_id.in_(list(names)))
        .order_by(model.participant_id, model.dataset_id)
    )
    for code, participant_id, dataset_id in session.execute(query).all():
        row = session.get_one(model, (participant_id, dataset_id))
        count = int(np.count_nonzero(unpack_row(row).labels[:, :ranks] != NO_LABEL))
        session.expunge(row)
        yield code, names[dataset_id], count


def prediction_count(session: Session, *, history: bool = False) -> int:
    """Return the total number of rows."""
    answers = evaluation_answers() if history else latest_answers()
    of_people = (
        select(func.count())
        .select_from(answers)
        .join(ImageRow, ImageRow.id == answers.c.image_id)
        .where(ImageRow.dataset_id.in_([number for number, _ in evaluation_datasets(session)]))
    )
    guesses = sum(count for _model, _dataset, count in model_prediction_counts(session))
    return guesses + (session.scalar(of_people) or 0)


class _PredictionExport:
    def __init__(
        self, session: Session, ranks: int | None = None, *, history: bool = False
    ) -> None:
        self._session = session
        self._ranks = ranks
        self._answers = evaluation_answers() if history else latest_answers()
        self._datasets = evaluation_datasets(session)
        self._wnids = {number: wnid for wnid, number in class_ids(session).items()}
        self._image_names: dict[int, list[str]] = {}

    def of_model(self, participant_id: int, code: str) -> Iterator[ExportRow]:
        for dataset_id, dataset in self._datasets:
            row = self._session.get(ModelPredictionsRow, (participant_id, dataset_id))
            if row is not None:
                names = self._names(dataset_id)
                for image, *guess in self._guesses(unpack_row(row), names):
                    yield (code, dataset, image, *guess, *_HUMAN_ONLY_COLUMNS)
                self._session.expunge(row)

    def _guesses(self, packed: PackedPredictions, names: list[str]) -> Iterator[ExportRow]:
        """Yield image, rank, label and score of every guess."""
        ordinals, ranks = np.nonzero(packed.labels[:, : self._ranks] != NO_LABEL)
        labels = packed.labels[ordinals, ranks].tolist()
        scores = _score_texts(packed, ordinals, ranks)
        for ordinal, rank, label, score in zip(
            ordinals.tolist(), ranks.tolist(), labels, scores, strict=True
        ):
            yield names[ordinal], rank + 1, self._wnids[label], score

    def of_human(self, participant_id: int, code: str) -> Iterator[ExportRow]:
        answer = self._answers.c
        numbers = [number for number, _ in self._datasets]
        query = (
            select(self._answers)
            .add_columns(DatasetRow.name.label("dataset"), ImageRow.name.label("image"))
            .add_columns(said_to_be_known(answer).label("known_image"))
            .join(ImageRow, ImageRow.id == answer.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(answer.participant_id == participant_id, DatasetRow.id.in_(numbers))
            .order_by(DatasetRow.id, ImageRow.ordinal, answer.revision)
            .execution_options(yield_per=FETCH_SIZE)
        )
        for row in self._session.execute(query):
            yield (code, row.dataset, row.image, *self._answer(row))

    def _answer(self, row: SqlRow[Any]) -> ExportRow:
        """Return the columns of an answer from rank on."""
        hatch = row.escape_hatch and row.alternative_id is not None
        return (
            1,
            self._wnids[row.class_id],
            format_score(row.score),
            format_seconds(row.active_ms),
            format_seconds(row.wall_ms),
            row.shown_at or "",
            int(row.escape_hatch),
            self._wnids[row.alternative_id] if hatch else "",
            row.confidence or "",
            int(row.known_image),
            row.note,
            row.committed_at,
            row.revision,
        )

    def _names(self, dataset_id: int) -> list[str]:
        if dataset_id not in self._image_names:
            query = select(ImageRow.name).where(ImageRow.dataset_id == dataset_id)
            names = self._session.scalars(query.order_by(ImageRow.ordinal)).all()
            self._image_names[dataset_id] = list(names)
        return self._image_names[dataset_id]


def _score_texts(packed: PackedPredictions, ordinals: IntArray, ranks: IntArray) -> list[str]:
    """Return scores as text, empty where missing."""
    if packed.scores is None:
        return [""] * len(ordinals)
    scores = exact_scores(packed.scores[ordinals, ranks]).tolist()
    return [format_score(None if isnan(score) else score) for score in scores]
