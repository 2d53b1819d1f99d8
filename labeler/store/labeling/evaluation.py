"""The evaluation of one labeler: anonymous trials, answers, marks, the lock.

Making the trials looks further than a labeler may, since their order comes from the images'
identities and no one may meet a picture they trained on.
"""

import json
import uuid
from collections.abc import Iterable

from sqlalchemy import ColumnElement, Select, exists, func, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.hidden_repeats import AskedImage, order_with_repeats
from labeler.core.datasets.sampling import labeler_order
from labeler.core.errors import RefusedError
from labeler.core.labeling.answers import TrialFlag
from labeler.core.labeling.blind_types import BlindTrial, OwnProgress
from labeler.core.labeling.own_answers import OwnAnswer
from labeler.core.study.entities import ImageKey, Role, SessionTask
from labeler.store.datasets.exposures import require_not_trained_on_sample
from labeler.store.labeling.drafts import MARKED_TRIALS_SUBJECT, Drafts
from labeler.store.labeling.own_answers import own_answers
from labeler.store.labeling.trial_tasks import EVALUATION
from labeler.store.labeling.trial_time import evaluation_active_ms
from labeler.store.labeling.trials import IS_FLAGGED, TaskTrials, find_unfinished_trial, is_answered
from labeler.store.schema import (
    DatasetRow,
    DraftRow,
    ImageRow,
    ParticipantRow,
    SampleImageRow,
    SampleRow,
    TrialRow,
)
from labeler.store.study.sessions import person_id, require_role


def add_missing_trials(session: Session, participant: str) -> None:
    """Add the trials that are missing: one for each image of the sample, and hidden repeats."""
    query = select(ParticipantRow).where(ParticipantRow.code == participant)
    person = session.scalars(query).one()
    if not _has_missing_trials(session, person.id):
        return
    numbers = _sampled_images(session)
    trials = select(TrialRow.image_id, TrialRow.asking).where(EVALUATION.is_trial_of(person.id))
    known = {(image, asking) for image, asking in session.execute(trials)}
    rows = [
        {
            # Random, so that no id says anything about its image.
            "id": str(uuid.uuid4()),
            "participant_id": person.id,
            "task": SessionTask.EVALUATE,
            "image_id": numbers[asked.key],
            "asking": asked.asking,
            "position": position,
        }
        for position, asked in enumerate(_asked_images(session, numbers, person), start=1)
        if (numbers[asked.key], asked.asking) not in known
    ]
    session.execute(insert(TrialRow), rows)


def _asked_images(
    session: Session, numbers: Iterable[ImageKey], person: ParticipantRow
) -> tuple[AskedImage, ...]:
    """Return the sample in the labeler's order, with its hidden repeats."""
    order = labeler_order(list(numbers), order_seed=person.order_seed)
    share = session.scalar(select(SampleRow.repeats).where(SampleRow.retired_at.is_(None)))
    return order_with_repeats(order, share=share or 0.0, order_seed=person.order_seed)


def _has_missing_trials(session: Session, person: int) -> bool:
    """Return whether an image of the sample has no trial of this person yet."""
    has_trial = exists().where(
        TrialRow.image_id == SampleImageRow.image_id, EVALUATION.is_trial_of(person)
    )
    query = (
        select(SampleImageRow.image_id)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .where(SampleRow.retired_at.is_(None), ~has_trial)
        .limit(1)
    )
    return session.scalar(query) is not None


def _sampled_images(session: Session) -> dict[ImageKey, int]:
    """Return the numbers of the images in the sample; targets aren't read."""
    query = (
        select(DatasetRow.name, ImageRow.name, ImageRow.id)
        .select_from(SampleImageRow)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleImageRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(SampleRow.retired_at.is_(None))
    )
    return {ImageKey(dataset, name): number for dataset, name, number in session.execute(query)}


_ANSWERED = is_answered(EVALUATION)


class EvaluationTrials(TaskTrials):
    def __init__(self, session: Session, clock: Clock) -> None:
        super().__init__(session, clock, EVALUATION)
        self._drafts = Drafts(session, clock)

    def prepare_trials(self, participant: str) -> int:
        """Create the labeler's trials for the sample and its repeats; return their number.

        Repeated calls add nothing.
        """
        person = person_id(self._session, participant)
        require_role(self._session, participant, Role.LABELER)
        EVALUATION.require_open(self._session)
        if self.is_locked(participant):
            raise RefusedError("Your answers are locked: you have finished the evaluation.")
        require_not_trained_on_sample(self._session, person)
        add_missing_trials(self._session, participant)
        return self._count(person)

    def trials(self, participant: str) -> list[BlindTrial]:
        """Return the labeler's trials in their order."""
        person = person_id(self._session, participant)
        return self._blind_trials(person, _trials_query(person))

    def trial(self, participant: str, trial_id: str) -> BlindTrial:
        """Return one of the labeler's trials."""
        person = person_id(self._session, participant)
        query = _trials_query(person).where(TrialRow.id == trial_id)
        return self._blind_trials(person, query)[0]

    def next_unanswered(self, participant: str) -> BlindTrial | None:
        """Return the first unanswered trial; flagged ones don't count."""
        person = person_id(self._session, participant)
        waiting = _trials_query(person).where(~_ANSWERED, ~IS_FLAGGED).limit(1)
        return next(iter(self._blind_trials(person, waiting)), None)

    def progress(self, participant: str) -> OwnProgress:
        person = person_id(self._session, participant)
        answered = self._count(person, _ANSWERED)
        set_aside = self._count(person, IS_FLAGGED, ~_ANSWERED)
        return OwnProgress(answered=answered, set_aside=set_aside, total=self._count(person))

    def own_answers(self, participant: str) -> list[OwnAnswer]:
        """Return the labeler's answers in their order; refused once they are locked."""
        if self.is_locked(participant):
            raise RefusedError(EVALUATION.locked_message)
        EVALUATION.require_open(self._session)
        person = person_id(self._session, participant)
        return own_answers(self._session, person, marks=self._marks(person))

    def mark(self, trial_id: str, *, marked: bool = True) -> None:
        """Mark the trial to return to it, or remove the mark."""
        trial = self._require_changeable(trial_id)
        before = self._marks(trial.participant_id)
        marks = before | {trial_id} if marked else before - {trial_id}
        code = self._session.get_one(ParticipantRow, trial.participant_id).code
        self._drafts.put(
            code,
            task=SessionTask.EVALUATE,
            subject=MARKED_TRIALS_SUBJECT,
            contents={"trials": sorted(marks)},
        )

    def active_ms(self, participant: str, *, idle_after_ms: int) -> int:
        """Return the labeler's total active time so far."""
        person = person_id(self._session, participant)
        return evaluation_active_ms(self._session, person, idle_after_ms=idle_after_ms)

    def unfinished_trial(self, participant: str) -> str | None:
        """Return the trial that was open when the program ended, if nothing came after it."""
        return find_unfinished_trial(self._session, person_id(self._session, participant))

    def is_locked(self, participant: str) -> bool:
        person = person_id(self._session, participant)
        return self._count(person, TrialRow.locked_at.is_not(None)) > 0

    def lock_task(self, participant: str) -> None:
        """Lock the labeler's answers permanently; refused while a trial is unanswered."""
        person = person_id(self._session, participant)
        if not self._count(person):
            raise RefusedError("There is nothing to lock: the evaluation hasn't begun.")
        left = self._count(person, ~_ANSWERED, ~IS_FLAGGED)
        if left:
            trials = "1 trial isn't" if left == 1 else f"{left:,} trials aren't"
            raise RefusedError(f"{trials} answered yet. The answers are locked when all are.")
        unlocked = EVALUATION.is_trial_of(person), TrialRow.locked_at.is_(None)
        now = stamp(self._clock.utc())
        self._session.execute(update(TrialRow).where(*unlocked).values(locked_at=now))

    def _blind_trials(self, person: int, query: Select[*tuple[object, ...]]) -> list[BlindTrial]:
        marks = self._marks(person)
        return [
            BlindTrial(
                trial_id=row.id,
                position=row.position,
                total=row.total,
                answered=row.answered,
                flagged=row.flagged,
                marked=row.id in marks,
            )
            for row in self._session.execute(query)
        ]

    def _flags(self, trial: TrialRow) -> frozenset[TrialFlag]:
        marked = trial.id in self._marks(trial.participant_id)
        return super()._flags(trial) | ({TrialFlag.LATER} if marked else frozenset())

    def _marks(self, person: int) -> frozenset[str]:
        """Return the marked trials."""
        key = {"task": SessionTask.EVALUATE, "subject": MARKED_TRIALS_SUBJECT}
        query = select(DraftRow.contents).filter_by(participant_id=person, **key)
        contents = self._session.scalar(query)
        return frozenset(json.loads(contents)["trials"] if contents else ())

    def _count(self, person: int, *conditions: ColumnElement[bool]) -> int:
        return self._session.scalar(_trial_count_query(person).where(*conditions)) or 0


def _trial_count_query(person: int) -> Select[int]:
    return select(func.count()).select_from(TrialRow).where(EVALUATION.is_trial_of(person))


def _trials_query(person: int) -> Select[str, int, int, bool, bool]:
    total = _trial_count_query(person).scalar_subquery()
    return (
        select(
            TrialRow.id,
            TrialRow.position,
            total.label("total"),
            _ANSWERED.label("answered"),
            IS_FLAGGED.label("flagged"),
        )
        .where(EVALUATION.is_trial_of(person))
        .order_by(TrialRow.position)
    )
