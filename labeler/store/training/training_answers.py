"""Answers in trainings, with the target that may be told after each."""

from sqlalchemy import Select, select
from sqlalchemy.orm import aliased

from labeler.store.labeling.trial_tasks import TRAINING
from labeler.store.schema import ClassRow, ImageRow, PredictionRow, TrainingTrialRow


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
