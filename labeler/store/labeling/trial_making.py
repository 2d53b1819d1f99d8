"""Making a labeler's trials from the frozen sample, in the labeler's own order."""

import uuid

from sqlalchemy import exists, insert, select
from sqlalchemy.orm import Session

from labeler.core.datasets.sampling import labeler_order
from labeler.core.study.entities import ImageKey, SessionTask
from labeler.store.labeling.trial_tasks import EVALUATION
from labeler.store.schema import (
    DatasetRow,
    ImageRow,
    ParticipantRow,
    SampleImageRow,
    SampleRow,
    TrialRow,
)


def add_missing_trials(session: Session, participant: str) -> None:
    """Give the labeler a trial for each image of the sample that has none, at its place."""
    query = select(ParticipantRow).where(ParticipantRow.code == participant)
    person = session.scalars(query).one()
    if not _has_missing_trials(session, person.id):
        return
    numbers = _sampled_images(session)
    order = labeler_order(list(numbers), order_seed=person.order_seed)
    known = set(session.scalars(select(TrialRow.image_id).where(EVALUATION.is_trial_of(person.id))))
    rows = [
        {
            # Random, so that no id says anything about its image.
            "id": str(uuid.uuid4()),
            "participant_id": person.id,
            "task": SessionTask.EVALUATE,
            "image_id": numbers[key],
            "position": position,
        }
        for position, key in enumerate(order, start=1)
        if numbers[key] not in known
    ]
    session.execute(insert(TrialRow), rows)


def _has_missing_trials(session: Session, person: int) -> bool:
    """Whether an image of the sample has no trial of this person's yet."""
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
