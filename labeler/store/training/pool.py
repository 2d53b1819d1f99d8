"""The part of the training pool that one labeler may draw from."""

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from labeler.core.study.entities import ExposureOccasion, ImageKey
from labeler.core.training.image_draw import PlannedTrainingImage, PoolImage
from labeler.store.labeling.trial_tasks import TRAINING
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ExposureRow,
    ImageRow,
    NotShownRow,
    ProblematicRow,
    SampleImageRow,
    SampleRow,
    TrainingPoolRow,
    TrainingTrialRow,
    TrialRow,
)


def eligible_images(session: Session, person: int) -> list[PoolImage]:
    """Return the images that may be shown, and how often they were; for drawing only.

    Excluded are images of the evaluation sample and their copies, problematic images, and those
    that couldn't be shown to this labeler.
    """
    met = {
        image: (times, last)
        for image, times, last in session.execute(_exposure_counts_query(person))
    }
    return [
        PoolImage(ImageKey(dataset, name), target, *met.get(number, (0, "")))
        for number, dataset, name, target in session.execute(_eligible_images_query(person))
    ]


def planned_images(session: Session, training_id: str) -> list[PlannedTrainingImage]:
    """Return the images of a training in order, with their classes."""
    answered = exists().where(TRAINING.answers_trial).correlate(TrialRow)
    query = (
        select(TrialRow.id, TrialRow.position, DatasetRow.name, ImageRow.name, ClassRow.wnid)
        .add_columns(answered)
        .select_from(TrainingTrialRow)
        .join(TrialRow, TrialRow.id == TrainingTrialRow.trial_id)
        .join(ImageRow, ImageRow.id == TrialRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == ImageRow.target_id)
        .where(TrainingTrialRow.training_id == training_id)
        .order_by(TrialRow.position)
    )
    return [
        PlannedTrainingImage(trial_id, position, ImageKey(dataset, name), target, done)
        for trial_id, position, dataset, name, target, done in session.execute(query)
    ]


def image_row_ids(session: Session, keys: list[ImageKey]) -> dict[ImageKey, int]:
    """Return the row id of each of these images."""
    query = (
        select(DatasetRow.name, ImageRow.name, ImageRow.id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(
            DatasetRow.name.in_({key.dataset for key in keys}),
            ImageRow.name.in_({key.image for key in keys}),
        )
    )
    return {ImageKey(dataset, name): number for dataset, name, number in session.execute(query)}


def _eligible_images_query(person: int) -> Select[int, str, str, str]:
    sampled = (
        select(SampleImageRow.image_id)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .where(SampleRow.retired_at.is_(None))
    )
    sampled_contents = select(ImageRow.content_hash).where(
        ImageRow.id.in_(sampled), ImageRow.content_hash.is_not(None)
    )
    problematic = select(ProblematicRow.image_id).where(ProblematicRow.withdrawn_at.is_(None))
    return (
        select(ImageRow.id, DatasetRow.name, ImageRow.name, ClassRow.wnid)
        .select_from(TrainingPoolRow)
        .join(ImageRow, ImageRow.id == TrainingPoolRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == ImageRow.target_id)
        .where(
            DatasetRow.complete,
            ImageRow.id.not_in(sampled),
            # Images without a hash were never measured, so they aren't in any sample.
            func.coalesce(ImageRow.content_hash, b"").not_in(sampled_contents),
            ImageRow.id.not_in(problematic),
            ImageRow.id.not_in(_not_shown(person)),
        )
    )


def _not_shown(person: int) -> Select[int]:
    return (
        select(TrialRow.image_id)
        .join(NotShownRow, NotShownRow.trial_id == TrialRow.id)
        .where(TrialRow.participant_id == person, NotShownRow.withdrawn_at.is_(None))
    )


def _exposure_counts_query(person: int) -> Select[int, int, str]:
    """Return how often each image was revealed to the labeler, and when they last saw it."""
    return (
        select(ExposureRow.image_id, func.count(ExposureRow.class_id), func.max(ExposureRow.at))
        .where(
            ExposureRow.participant_id == person, ExposureRow.occasion == ExposureOccasion.TRAINING
        )
        .group_by(ExposureRow.image_id)
    )
