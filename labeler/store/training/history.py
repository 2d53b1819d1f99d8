"""Training answers, for the people who may see them.

Every query here is bound to training: answers of that task, and images of which none belongs to
the evaluation sample. Problematic images are left out, as they are of every accuracy.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Row, Select, and_, case, exists, func, insert, select
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.core.study.entities import (
    ExposureOccasion,
    ImageKey,
    ParticipantKind,
    SessionTask,
    Verdict,
)
from labeler.core.training.answers import TrainingAnswer, TrainingSession
from labeler.core.training.request import TrainingRequest
from labeler.store.datasets.image_files import (
    IMAGE_FILE_COLUMNS,
    shown_image_files,
)
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ExposureRow,
    ImageRow,
    MultilabelRow,
    ParticipantRow,
    PredictionRow,
    ProblematicRow,
    SampleImageRow,
    SampleRow,
    SessionRow,
    TrainingPoolRow,
    TrainingRow,
)
from labeler.store.study.sessions import person_id


def training_request(row: TrainingRow) -> TrainingRequest:
    return TrainingRequest(
        source=row.source,
        subject=tuple(row.subject.split("\n")) if row.subject else (),
        length=row.length,
        order=row.ordering,
        seed=row.seed,
    )


_FIRST = 1
# Databases limit the number of values in one query.
_IDS_PER_QUERY = 500

_COPY = aliased(ImageRow)
_SAMPLED = (
    select(SampleImageRow.image_id)
    .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
    .where(SampleRow.retired_at.is_(None))
)
_SAMPLED_CONTENTS = select(_COPY.content_hash).where(
    _COPY.id.in_(_SAMPLED), _COPY.content_hash.is_not(None)
)
_PROBLEMATIC = select(ProblematicRow.image_id).where(ProblematicRow.withdrawn_at.is_(None))
_IS_VISIBLE = and_(
    ImageRow.id.not_in(_SAMPLED),
    # Another copy of a sampled picture tells as much as the picture itself.
    func.coalesce(ImageRow.content_hash, b"").not_in(_SAMPLED_CONTENTS),
    ImageRow.id.not_in(_PROBLEMATIC),
)
_IS_FIRST_ANSWER = and_(PredictionRow.task == SessionTask.TRAIN, PredictionRow.revision == _FIRST)
_VERDICT = (
    select(MultilabelRow.state)
    .where(
        MultilabelRow.image_id == PredictionRow.image_id,
        MultilabelRow.class_id == PredictionRow.class_id,
    )
    .correlate(PredictionRow)
    .scalar_subquery()
)
# The target counts unless a review found it wrong; another label if it found it correct.
_IS_ACCEPTED = case(
    (PredictionRow.class_id == ImageRow.target_id, func.coalesce(_VERDICT, "") != Verdict.WRONG),
    else_=func.coalesce(_VERDICT, "") == Verdict.CORRECT,
)


class TrainingHistory:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def answers(self, participant: str) -> list[TrainingAnswer]:
        """Return the person's first answers to training trials, oldest first."""
        query = (
            select(
                PredictionRow.image_id,
                ImageRow.target_id,
                PredictionRow.class_id,
                _IS_ACCEPTED.label("right"),
                PredictionRow.committed_at,
            )
            .join(ImageRow, ImageRow.id == PredictionRow.image_id)
            .where(self._is_of(participant), _IS_FIRST_ANSWER, _IS_VISIBLE)
            .order_by(PredictionRow.committed_at, PredictionRow.id)
        )
        return [
            TrainingAnswer(
                image=image,
                target=target,
                label=label,
                right=bool(right),
                at=datetime.fromisoformat(at),
            )
            for image, target, label, right, at in self._session.execute(query)
        ]

    def sessions(self, participant: str) -> list[TrainingSession]:
        """Return the person's training sessions, oldest first, each with its request."""
        person = person_id(self._session, participant)
        of_person = select(SessionRow.started_at).filter_by(
            participant_id=person, task=SessionTask.TRAIN
        )
        starts = self._session.scalars(of_person.order_by(SessionRow.started_at)).all()
        sessions = select(TrainingRow).filter_by(participant_id=person)
        trainings = self._session.scalars(sessions.order_by(TrainingRow.begun_at)).all()
        return [_training_session(at, trainings) for at in starts]

    def offered(self) -> dict[str, int]:
        """Return the number of training images of each class that has any."""
        query = (
            select(ClassRow.wnid, func.count())
            .select_from(TrainingPoolRow)
            .join(ImageRow, ImageRow.id == TrainingPoolRow.image_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(_IS_VISIBLE)
            .group_by(ClassRow.wnid)
        )
        return dict(self._session.execute(query).all())

    def labelers(self) -> list[str]:
        """Return the people who answered at least one training image, by code."""
        query = (
            select(ParticipantRow.code)
            .join(PredictionRow, PredictionRow.participant_id == ParticipantRow.id)
            .where(_IS_FIRST_ANSWER, ParticipantRow.kind == ParticipantKind.HUMAN)
            .distinct()
            .order_by(ParticipantRow.code)
        )
        return list(self._session.scalars(query))

    def counts(self) -> dict[str, int]:
        """Return the number of training answers of each labeler."""
        query = (
            select(ParticipantRow.code, func.count())
            .select_from(PredictionRow)
            .join(ParticipantRow, ParticipantRow.id == PredictionRow.participant_id)
            .where(_IS_FIRST_ANSWER)
            .group_by(ParticipantRow.code)
        )
        return dict(self._session.execute(query).all())

    def group_counts(self) -> dict[str, tuple[int, int]]:
        """Return, by class, how many training answers all labelers gave, and how many right."""
        query = (
            select(ClassRow.wnid, func.count(), func.sum(case((_IS_ACCEPTED, 1), else_=0)))
            .select_from(PredictionRow)
            .join(ImageRow, ImageRow.id == PredictionRow.image_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(_IS_FIRST_ANSWER, _IS_VISIBLE)
            .group_by(ClassRow.wnid)
        )
        rows = self._session.execute(query)
        return {wnid: (int(answered), int(right)) for wnid, answered, right in rows}

    def group_mistakes(self) -> dict[tuple[str, str], int]:
        """Return how often labelers answered one class for another, in all trainings together."""
        target, chosen = aliased(ClassRow), aliased(ClassRow)
        query = (
            select(target.wnid, chosen.wnid, func.count())
            .select_from(PredictionRow)
            .join(ImageRow, ImageRow.id == PredictionRow.image_id)
            .join(target, target.id == ImageRow.target_id)
            .join(chosen, chosen.id == PredictionRow.class_id)
            .where(_IS_FIRST_ANSWER, _IS_VISIBLE, ~_IS_ACCEPTED)
            .group_by(target.wnid, chosen.wnid)
        )
        return {(one, other): count for one, other, count in self._session.execute(query)}

    def first_answers(self, participant: str) -> dict[int, str]:
        """Return the person's first answer to each image."""
        query = (
            select(PredictionRow.image_id, ClassRow.wnid)
            .join(ImageRow, ImageRow.id == PredictionRow.image_id)
            .join(ClassRow, ClassRow.id == PredictionRow.class_id)
            .where(self._is_of(participant), _IS_FIRST_ANSWER, _IS_VISIBLE)
            # The oldest comes last, so that it is the one that stays.
            .order_by(PredictionRow.committed_at.desc(), PredictionRow.id.desc())
        )
        return dict(self._session.execute(query).all())

    def accepted(self, images: Collection[int]) -> dict[int, tuple[str, ...]]:
        """Return the accepted labels of images: the target first, unless a review rejected it."""
        found: dict[int, tuple[str, ...]] = {}
        for some in _in_parts(sorted(images)):
            judged = _by_verdict(self._session.execute(_verdicts(some)))
            for image, target in self._session.execute(_targets(some)):
                wrong = target in judged[image, Verdict.WRONG]
                labels = (() if wrong else (target,)) + tuple(judged[image, Verdict.CORRECT])
                found[image] = tuple(dict.fromkeys(labels))
        return found

    def keys(self, images: Collection[int]) -> dict[int, ImageKey]:
        """Return the image keys, for the lead."""
        found: dict[int, ImageKey] = {}
        for some in _in_parts(sorted(images)):
            query = (
                select(ImageRow.id, DatasetRow.name, ImageRow.name)
                .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
                .where(ImageRow.id.in_(some))
            )
            for number, dataset, name in self._session.execute(query):
                found[number] = ImageKey(dataset, name)
        return found

    def file(self, image: int) -> ImageFile:
        """Return a training image's file, for the decoder only."""
        query = (
            select(*IMAGE_FILE_COLUMNS)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(ImageRow.id == image, _IS_VISIBLE, _was_trained_on(image))
        )
        row = self._session.execute(query).one_or_none()
        file = shown_image_files(self._session)(row)
        if file is None:
            raise RefusedError("This image isn't one that was trained on.")
        return file

    def has_seen(self, participant: str, image: int) -> bool:
        """Return whether the person saw the image with its labels."""
        seen = self._exposure(participant, image)
        return self._session.scalar(select(ExposureRow.id).filter_by(**seen).limit(1)) is not None

    def record_seen(self, participant: str, image: int) -> None:
        """Record that the person saw a training image with its labels, once."""
        if self.has_seen(participant, image):
            return
        target = select(ImageRow.target_id).where(ImageRow.id == image).scalar_subquery()
        row = {**self._exposure(participant, image), "at": stamp(self._clock.utc())}
        self._session.execute(insert(ExposureRow).values(**row, class_id=target))

    def _exposure(self, participant: str, image: int) -> dict[str, object]:
        person = person_id(self._session, participant)
        return {"participant_id": person, "image_id": image, "occasion": ExposureOccasion.TRAINING}

    def _is_of(self, participant: str) -> ColumnElement[bool]:
        return PredictionRow.participant_id == person_id(self._session, participant)


def _training_session(started_at: str, trainings: Sequence[TrainingRow]) -> TrainingSession:
    """Return the training of a session: the one started last before it."""
    by_then = [row for row in trainings if row.begun_at <= started_at]
    request = training_request(by_then[-1]) if by_then else None
    return TrainingSession(datetime.fromisoformat(started_at), request)


def _was_trained_on(image: int) -> ColumnElement[bool]:
    return exists().where(PredictionRow.image_id == image, _IS_FIRST_ANSWER)


def _targets(images: Sequence[int]) -> Select[int, str]:
    return (
        select(ImageRow.id, ClassRow.wnid)
        .join(ClassRow, ClassRow.id == ImageRow.target_id)
        .where(ImageRow.id.in_(images), _IS_VISIBLE)
    )


def _verdicts(images: Sequence[int]) -> Select[int, str, Verdict]:
    return (
        select(MultilabelRow.image_id, ClassRow.wnid, MultilabelRow.state)
        .join(ClassRow, ClassRow.id == MultilabelRow.class_id)
        .where(MultilabelRow.image_id.in_(images))
        .order_by(MultilabelRow.image_id, MultilabelRow.class_id)
    )


def _by_verdict(
    rows: Iterable[Row[int, str, Verdict]],
) -> dict[tuple[int, Verdict], list[str]]:
    labels: dict[tuple[int, Verdict], list[str]] = defaultdict(list)
    for image, wnid, state in rows:
        labels[image, state].append(wnid)
    return labels


def _in_parts(images: Sequence[int]) -> Iterable[Sequence[int]]:
    return (
        images[start : start + _IDS_PER_QUERY] for start in range(0, len(images), _IDS_PER_QUERY)
    )
