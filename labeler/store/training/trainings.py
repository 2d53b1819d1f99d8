"""Trainings: their anonymous trials, and what may be shown after an answer."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Select, func, insert, select, update
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.study.entities import ImageKey, Role, SessionTask
from labeler.core.training.image_draw import PlannedTrainingImage, PoolImage
from labeler.core.training.request import GradedAnswer, TrainingRequest
from labeler.store.labeling.trial_flags import record_shown
from labeler.store.labeling.trial_tasks import TRAINING
from labeler.store.labeling.trials import IS_FLAGGED, TaskTrials, is_answered
from labeler.store.schema import (
    ClassRow,
    ImageRow,
    PredictionRow,
    TrainingRow,
    TrainingTrialRow,
    TrialRow,
)
from labeler.store.study.sessions import person_id, require_role
from labeler.store.training.history import TrainingHistory, training_request
from labeler.store.training.pool import eligible_images, image_row_ids, planned_images


def revealed_answers_query() -> Select[str | None, int, str, str, str, str]:
    """Trial, image, label, target, alternative and moment of each answer, oldest first."""
    target, alternative = aliased(ClassRow), aliased(ClassRow)
    return (
        select(
            PredictionRow.trial_id,
            PredictionRow.image_id,
            ClassRow.wnid.label("label"),
            target.wnid.label("target"),
            alternative.wnid.label("alternative"),
            PredictionRow.committed_at,
        )
        .join(TrainingTrialRow, TrainingTrialRow.trial_id == PredictionRow.trial_id)
        .join(ClassRow, ClassRow.id == PredictionRow.class_id)
        .join(ImageRow, ImageRow.id == PredictionRow.image_id)
        .join(target, target.id == ImageRow.target_id)
        .outerjoin(alternative, alternative.id == PredictionRow.alternative_id)
        .where(TRAINING.is_prediction)
        .order_by(PredictionRow.committed_at, PredictionRow.id)
    )


_ANSWERED = is_answered(TRAINING)


@dataclass(frozen=True, slots=True)
class OpenTraining:
    """A training that hasn't been ended, with what was asked for."""

    training_id: str
    request: TrainingRequest


class Trainings(TaskTrials):
    """Trainings of a labeler; only drawing reads a target before its answer is stored."""

    def __init__(self, session: Session, clock: Clock) -> None:
        super().__init__(session, clock, TRAINING)

    def require_open(self, participant: str) -> None:
        """Refuse unless the person is a labeler and the lead has opened training."""
        require_role(self._session, participant, Role.LABELER)
        TRAINING.require_open(self._session)

    def pool(self, participant: str) -> list[PoolImage]:
        """Return what the labeler may draw from; never for a screen."""
        return eligible_images(self._session, person_id(self._session, participant))

    def begin(self, participant: str, request: TrainingRequest, images: Sequence[ImageKey]) -> str:
        """Create a training of these images in this order; an unfinished one ends."""
        self.require_open(participant)
        person = person_id(self._session, participant)
        self._end_all(person)
        assert request.seed is not None, "a training is drawn by a seed"
        row = TrainingRow(
            id=str(uuid.uuid4()),
            participant_id=person,
            source=request.source,
            subject="\n".join(request.subject),
            length=request.length,
            ordering=request.order,
            seed=request.seed,
            begun_at=stamp(self._clock.utc()),
        )
        self._session.add(row)
        self._session.flush()
        numbers = image_row_ids(self._session, list(images))
        for position, key in enumerate(images, start=1):
            self._add_trial(row.id, person, numbers[key], position)
        return row.id

    def current(self, participant: str) -> OpenTraining | None:
        """Return the unfinished training, or None."""
        person = person_id(self._session, participant)
        query = select(TrainingRow).filter_by(participant_id=person, ended_at=None)
        row = self._session.scalar(query.order_by(TrainingRow.begun_at.desc()).limit(1))
        return None if row is None else OpenTraining(row.id, training_request(row))

    def count(self, participant: str) -> int:
        """Return how many trainings the labeler has started."""
        person = person_id(self._session, participant)
        query = select(func.count(TrainingRow.id)).where(TrainingRow.participant_id == person)
        return self._session.scalar(query) or 0

    def end(self, training_id: str) -> None:
        """End the training; images that weren't answered are left unanswered."""
        row = self._session.get(TrainingRow, training_id)
        if row is not None:
            row.ended_at = row.ended_at or stamp(self._clock.utc())

    def trials(self, training_id: str) -> list[BlindTrial]:
        """Return the trials in order, identified by position alone."""
        rows = self._session.execute(_trials_of(training_id)).all()
        return [
            BlindTrial(
                trial_id=row.id,
                # Counted, since the stored positions may leave gaps.
                position=place,
                total=len(rows),
                answered=row.answered,
                flagged=row.flagged,
            )
            for place, row in enumerate(rows, start=1)
        ]

    def note_shown(self, trial_id: str, *, session_id: str, at: str) -> None:
        """Record that the image was seen, before its class is revealed."""
        trial = self._require_changeable(trial_id)
        record_shown(self._session, trial, at=at, session_id=session_id, task=TRAINING)

    def answers(self, training_id: str) -> list[GradedAnswer]:
        """Return the answers of a training, oldest first."""
        return self._graded_answers(
            revealed_answers_query().where(TrainingTrialRow.training_id == training_id)
        )

    def answer(self, trial_id: str) -> GradedAnswer:
        """Return the graded answer of a trial; refused before it is answered."""
        found = self._graded_answers(
            revealed_answers_query().where(PredictionRow.trial_id == trial_id)
        )
        if not found:
            raise RefusedError("This image waits for your answer. Its class is shown after that.")
        return found[0]

    def planned(self, training_id: str) -> list[PlannedTrainingImage]:
        """Return the images with their classes, for drawing; never for a screen."""
        return planned_images(self._session, training_id)

    def insert(self, training_id: str, key: ImageKey, *, position: int) -> None:
        """Insert an image into the training; later ones move back."""
        row = self._session.get_one(TrainingRow, training_id)
        of_training = select(TrainingTrialRow.trial_id).filter_by(training_id=training_id)
        shift_later = update(TrialRow).where(
            TrialRow.id.in_(of_training), TrialRow.position >= position
        )
        self._session.execute(shift_later.values(position=TrialRow.position + 1))
        number = image_row_ids(self._session, [key])[key]
        self._add_trial(training_id, row.participant_id, number, position)

    def _add_trial(self, training_id: str, person: int, image: int, position: int) -> None:
        # Random, so that no id says anything about its image.
        trial_id = str(uuid.uuid4())
        trial = {
            "id": trial_id,
            "participant_id": person,
            "task": SessionTask.TRAIN,
            "image_id": image,
            "position": position,
        }
        self._session.execute(insert(TrialRow), [trial])
        link = {"trial_id": trial_id, "training_id": training_id}
        self._session.execute(insert(TrainingTrialRow), [link])

    def _graded_answers(self, query: Select[*tuple[object, ...]]) -> list[GradedAnswer]:
        rows = self._session.execute(query).all()
        records = TrainingHistory(self._session, self._clock)
        accepted = records.accepted({row.image_id for row in rows})
        return [
            GradedAnswer(
                trial_id=row.trial_id,
                image=row.image_id,
                label=row.label,
                target=row.target,
                accepted=accepted.get(row.image_id, (row.target,)),
                alternative=row.alternative,
                at=row.committed_at,
            )
            for row in rows
        ]

    def _end_all(self, person: int) -> None:
        unfinished = TrainingRow.participant_id == person, TrainingRow.ended_at.is_(None)
        now = stamp(self._clock.utc())
        self._session.execute(update(TrainingRow).where(*unfinished).values(ended_at=now))


def _trials_of(training_id: str) -> Select[str, int, bool, bool]:
    return (
        select(
            TrialRow.id, TrialRow.position, _ANSWERED.label("answered"), IS_FLAGGED.label("flagged")
        )
        .join(TrainingTrialRow, TrainingTrialRow.trial_id == TrialRow.id)
        .where(TrainingTrialRow.training_id == training_id)
        .order_by(TrialRow.position)
    )
