"""Which images people had seen before they were evaluated on them."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session, aliased

from labeler.core.study.entities import ExposureOccasion, Stage
from labeler.core.study.phases import Phase
from labeler.store.datasets.exposures import is_same_image
from labeler.store.schema import ExposureRow, ImageRow, PhaseRow, ReviewRow

_EARLIER_OCCASIONS = (ExposureOccasion.TRAINING, ExposureOccasion.REVIEW, ExposureOccasion.DECLARED)


def images_seen_before(
    session: Session, dataset: int, people: Sequence[int]
) -> set[tuple[int, int]]:
    """Person and image, where they met before the evaluation was locked, or say they had.

    A copy of an image counts as the image. The final review comes after the lock, and so does a
    lead's look at the results.
    """
    locked_at = session.scalar(select(PhaseRow.locked_at).where(PhaseRow.phase == Phase.EVALUATE))
    met: set[tuple[int, int]] = set()
    for by_content in (False, True):
        seen = aliased(ImageRow)
        query = (
            select(ExposureRow.participant_id, ImageRow.id)
            .join(seen, seen.id == ExposureRow.image_id)
            .join(ImageRow, is_same_image(seen, by_content=by_content))
            .where(
                ImageRow.dataset_id == dataset,
                ExposureRow.participant_id.in_(people),
                ExposureRow.occasion.in_(_EARLIER_OCCASIONS),
                _before_evaluation(),
            )
            .distinct()
        )
        if locked_at is not None:
            query = query.where(ExposureRow.at < locked_at)
        met |= {(person, image) for person, image in session.execute(query)}
    return met


def _before_evaluation() -> ColumnElement[bool]:
    """Of verdicts that were imported, only those of the first review are known to come before."""
    first_review = select(ReviewRow.image_id).where(
        ReviewRow.image_id == ExposureRow.image_id,
        ReviewRow.participant_id == ExposureRow.participant_id,
        ReviewRow.stage == Stage.INITIAL,
    )
    return or_(
        ExposureRow.occasion != ExposureOccasion.REVIEW,
        ExposureRow.session_id.is_not(None),
        first_review.exists(),
    )
