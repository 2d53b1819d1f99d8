"""The reasons for which images are problematic now, withdrawn ones left out."""

from collections import defaultdict

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.study.entities import ProblemReason
from labeler.store.schema import DatasetRow, ImageRow, ProblematicRow


def problem_reasons_by_image(
    session: Session, dataset: str
) -> dict[int, tuple[ProblemReason, ...]]:
    """By image number, each reason once, in the order in which they were given."""
    query = (
        select(ProblematicRow.image_id, ProblematicRow.reason)
        .join(ImageRow, ImageRow.id == ProblematicRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(DatasetRow.name == dataset, ProblematicRow.withdrawn_at.is_(None))
        .order_by(ProblematicRow.id)
    )
    reasons: dict[int, dict[ProblemReason, None]] = defaultdict(dict)
    for image_id, reason in session.execute(query):
        reasons[image_id][reason] = None
    return {image_id: tuple(given) for image_id, given in reasons.items()}
