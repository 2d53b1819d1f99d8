"""The verdicts of a study as queries: the last ones, or all revisions."""

from sqlalchemy import Subquery, select
from sqlalchemy.orm import aliased

from labeler.store.schema import ReviewRow


def reviews_with_history() -> Subquery:
    """Return all revisions of the verdicts that aren't withdrawn now."""
    last = latest_reviews().c
    current = select(last.revision).where(
        last.participant_id == ReviewRow.participant_id,
        last.stage == ReviewRow.stage,
        last.image_id == ReviewRow.image_id,
        last.class_id == ReviewRow.class_id,
    )
    query = select(ReviewRow).where(~ReviewRow.withdrawn, current.exists())
    return query.subquery("review_history")


def latest_reviews(*, withdrawn: bool = False) -> Subquery:
    """Return the last revision of every verdict, optionally including withdrawn ones."""
    later = aliased(ReviewRow)
    superseded = select(later.revision).where(
        later.participant_id == ReviewRow.participant_id,
        later.stage == ReviewRow.stage,
        later.image_id == ReviewRow.image_id,
        later.class_id == ReviewRow.class_id,
        later.revision > ReviewRow.revision,
    )
    current = select(ReviewRow).where(~superseded.exists())
    current_reviews = current if withdrawn else current.where(~ReviewRow.withdrawn)
    return current_reviews.subquery("current_review")
