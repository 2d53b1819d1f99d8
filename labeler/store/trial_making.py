"""Making a labeler's trials from the frozen sample, in the labeler's own order."""

import uuid

from sqlalchemy import ColumnElement, and_, exists, func, insert, select, text
from sqlalchemy.orm import Session

from labeler.core.errors import Refused
from labeler.core.phases import Phase, PhaseState
from labeler.core.sampling import labeler_order
from labeler.core.study import ImageKey, Occasion, Task
from labeler.store.schema import (
    DatasetRow,
    ExposureRow,
    ImageRow,
    ParticipantRow,
    PhaseRow,
    SampleImageRow,
    SampleRow,
    TrialRow,
)

# Written out, since an index over evaluations only is of no use to a bound value.
_EVALUATION = text("trial.task = 'evaluate'")
_REFUSALS = {
    PhaseState.CLOSED: "The evaluation isn't open yet: ask the lead to open it.",
    PhaseState.OPEN: None,
    PhaseState.LOCKED: "The evaluation is locked: its answers can't be seen or changed any more.",
}
assert set(_REFUSALS) == set(PhaseState), "every state has its answer"


def is_trial_of(person: int) -> ColumnElement[bool]:
    return and_(TrialRow.participant_id == person, _EVALUATION)


def require_open_evaluation(session: Session) -> None:
    """Refuse, with the reason, what can only be done while the evaluation is open."""
    query = select(PhaseRow.state).where(PhaseRow.phase == Phase.EVALUATE)
    reason = _REFUSALS[session.scalar(query) or PhaseState.CLOSED]
    if reason is not None:
        raise Refused(reason)


def require_untrained(session: Session, person: int) -> None:
    """Refuse a labeler who trained on an image of the sample, without telling which."""
    query = (
        select(func.count(func.distinct(ExposureRow.image_id)))
        .join(SampleImageRow, SampleImageRow.image_id == ExposureRow.image_id)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .where(
            ExposureRow.participant_id == person,
            ExposureRow.occasion == Occasion.TRAINING,
            SampleRow.retired_at.is_(None),
        )
    )
    if session.scalar(query):
        raise Refused(
            "You can't be evaluated yet: you trained on pictures that the evaluation would show "
            "you. Ask the lead, who can draw another sample."
        )


def add_missing_trials(session: Session, participant: str) -> None:
    """Give the labeler a trial for each image of the sample that has none, at its place."""
    query = select(ParticipantRow).where(ParticipantRow.code == participant)
    person = session.scalars(query).one()
    if not _is_wanting(session, person.id):
        return
    numbers = _sampled_images(session)
    order = labeler_order(list(numbers), order_seed=person.order_seed)
    known = set(session.scalars(select(TrialRow.image_id).where(is_trial_of(person.id))))
    rows = [
        {
            # Random, so that no id says anything about its image.
            "id": str(uuid.uuid4()),
            "participant_id": person.id,
            "task": Task.EVALUATE,
            "image_id": numbers[key],
            "position": position,
        }
        for position, key in enumerate(order, start=1)
        if numbers[key] not in known
    ]
    session.execute(insert(TrialRow), rows)


def _is_wanting(session: Session, person: int) -> bool:
    """Whether an image of the sample has no trial of this person's yet."""
    has_trial = exists().where(TrialRow.image_id == SampleImageRow.image_id, is_trial_of(person))
    query = (
        select(SampleImageRow.image_id)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .where(SampleRow.retired_at.is_(None), ~has_trial)
        .limit(1)
    )
    return session.scalar(query) is not None


def _sampled_images(session: Session) -> dict[ImageKey, int]:
    """The number of each image of the study's sample; targets aren't asked for."""
    query = (
        select(DatasetRow.name, ImageRow.name, ImageRow.id)
        .select_from(SampleImageRow)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleImageRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(SampleRow.retired_at.is_(None))
    )
    return {ImageKey(dataset, name): number for dataset, name, number in session.execute(query)}
