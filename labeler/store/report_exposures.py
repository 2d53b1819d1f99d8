"""Which images people had seen before they were evaluated on them."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.phases import Phase
from labeler.core.study import Occasion
from labeler.store.schema import ExposureRow, ImageRow, PhaseRow

_EARLIER = (Occasion.TRAINING, Occasion.REVIEW, Occasion.DECLARED)


def seen_before(session: Session, dataset: int, people: Sequence[int]) -> list[tuple[int, int]]:
    """Person and image, where they met before the evaluation was locked, or say they had.

    The final review comes after the lock, and so does a lead's look at the results.
    """
    locked_at = session.scalar(select(PhaseRow.locked_at).where(PhaseRow.phase == Phase.EVALUATE))
    query = (
        select(ExposureRow.participant_id, ExposureRow.image_id)
        .join(ImageRow, ImageRow.id == ExposureRow.image_id)
        .where(
            ImageRow.dataset_id == dataset,
            ExposureRow.participant_id.in_(people),
            ExposureRow.occasion.in_(_EARLIER),
        )
        .distinct()
    )
    if locked_at is not None:
        query = query.where(ExposureRow.at < locked_at)
    return [(person, image) for person, image in session.execute(query)]
