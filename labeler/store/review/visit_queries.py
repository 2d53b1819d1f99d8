"""The SQL statements for a reviewer's visits, repeats, and open labels.

None selects a target, source, plan, number of proposals or another person's verdict.
"""

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import aliased

from labeler.core.study.entities import CorrectKind, Stage, Verdict
from labeler.store.schema import (
    ClassRow,
    RepeatedReviewRow,
    ReviewItemRow,
    ReviewRepeatRow,
    ReviewRow,
    ReviewVisitRow,
)

# An image, and the position and id of its visit.
VisitSelect = Select[int, int, str]
# The image, its label, and the reviewer's own verdict, if any; a repeat has its own position and
# visit id before the label.
ItemSelect = Select[int, str, Verdict, CorrectKind | None, bool]
RepeatSelect = Select[int, int, str, str, Verdict, CorrectKind | None, bool]


def select_visits(person: int, stage: Stage) -> VisitSelect:
    return select(ReviewVisitRow.image_id, ReviewVisitRow.place, ReviewVisitRow.id).where(
        ReviewVisitRow.participant_id == person, ReviewVisitRow.stage == stage
    )


def select_images(wnid: str, stage: Stage) -> Select[int]:
    """Select the images that have the class as a label."""
    return (
        select(ReviewItemRow.image_id)
        .join(ClassRow, ClassRow.id == ReviewItemRow.class_id)
        .where(ReviewItemRow.stage == stage, ClassRow.wnid == wnid)
    )


def select_pending_classes(person: int, stage: Stage, *, wnid: str, past: bool) -> Select[str]:
    """Select the classes with open labels, first or repeated, ordered by wnid."""
    asked = aliased(ClassRow)
    waits = (
        _select_pending_items(person, stage)
        .join(ReviewVisitRow, ReviewVisitRow.image_id == ReviewItemRow.image_id)
        .where(
            ReviewItemRow.stage == stage,
            ReviewItemRow.class_id == asked.id,
            ReviewVisitRow.participant_id == person,
            ReviewVisitRow.stage == stage,
        )
        .correlate(asked)
        .exists()
    )
    waits_again = (
        select_repeats(person, stage)
        .with_only_columns(ReviewRepeatRow.id)
        .where(
            ReviewRepeatRow.class_id == asked.id,
            or_(RepeatedReviewRow.verdict.is_(None), RepeatedReviewRow.withdrawn),
        )
        .correlate(asked)
        .exists()
    )
    following = asked.wnid > wnid if past else asked.wnid >= wnid
    return select(asked.wnid).where(following, or_(waits, waits_again)).order_by(asked.wnid)


def select_pending_visits(person: int, stage: Stage) -> Select[int, int]:
    """Select positions and images of the visits with open labels, in order.

    A label is open if it has no verdict or a withdrawn one.
    """
    waits = (
        _select_pending_items(person, stage)
        .where(
            ReviewItemRow.stage == ReviewVisitRow.stage,
            ReviewItemRow.image_id == ReviewVisitRow.image_id,
        )
        .correlate(ReviewVisitRow)
        .exists()
    )
    return (
        select(ReviewVisitRow.place, ReviewVisitRow.image_id)
        .where(ReviewVisitRow.participant_id == person, ReviewVisitRow.stage == stage, waits)
        .order_by(ReviewVisitRow.place)
    )


def select_pending_repeats(person: int, stage: Stage) -> Select[int, int]:
    """Select the same for repeats."""
    return (
        select_repeats(person, stage)
        .with_only_columns(ReviewRepeatRow.place, ReviewRepeatRow.image_id)
        .where(or_(RepeatedReviewRow.verdict.is_(None), RepeatedReviewRow.withdrawn))
        .order_by(ReviewRepeatRow.place)
    )


def _select_pending_items(person: int, stage: Stage) -> Select[int]:
    return (
        select(ReviewItemRow.class_id)
        .outerjoin(ReviewRow, _is_latest_own_verdict(person, stage))
        .where(or_(ReviewRow.verdict.is_(None), ReviewRow.withdrawn))
    )


def _is_latest_own_verdict(person: int, stage: Stage) -> ColumnElement[bool]:
    """Return the condition that a verdict is the person's last on an item."""
    later = aliased(ReviewRow)
    newest = (
        select(func.max(later.revision))
        .where(
            later.image_id == ReviewItemRow.image_id,
            later.class_id == ReviewItemRow.class_id,
            later.participant_id == person,
            later.stage == stage,
        )
        .correlate(ReviewItemRow)
        .scalar_subquery()
    )
    return and_(
        ReviewRow.image_id == ReviewItemRow.image_id,
        ReviewRow.class_id == ReviewItemRow.class_id,
        ReviewRow.participant_id == person,
        ReviewRow.stage == stage,
        ReviewRow.revision == newest,
    )


def select_items(person: int, stage: Stage) -> ItemSelect:
    return (
        select(
            ReviewVisitRow.image_id,
            ClassRow.wnid,
            ReviewRow.verdict,
            ReviewRow.kind,
            ReviewRow.withdrawn,
        )
        .select_from(ReviewVisitRow)
        .join(
            ReviewItemRow,
            and_(
                ReviewItemRow.stage == ReviewVisitRow.stage,
                ReviewItemRow.image_id == ReviewVisitRow.image_id,
            ),
        )
        .join(ClassRow, ClassRow.id == ReviewItemRow.class_id)
        .outerjoin(ReviewRow, _is_latest_own_verdict(person, stage))
        .where(ReviewVisitRow.participant_id == person, ReviewVisitRow.stage == stage)
    )


def select_repeats(person: int, stage: Stage) -> RepeatSelect:
    later = aliased(RepeatedReviewRow)
    newest = (
        select(func.max(later.revision))
        .where(later.repeat_id == ReviewRepeatRow.id)
        .correlate(ReviewRepeatRow)
        .scalar_subquery()
    )
    own = and_(
        RepeatedReviewRow.repeat_id == ReviewRepeatRow.id, RepeatedReviewRow.revision == newest
    )
    return (
        select(
            ReviewRepeatRow.image_id,
            ReviewRepeatRow.place,
            ReviewRepeatRow.id,
            ClassRow.wnid,
            RepeatedReviewRow.verdict,
            RepeatedReviewRow.kind,
            RepeatedReviewRow.withdrawn,
        )
        .select_from(ReviewRepeatRow)
        .join(
            ReviewVisitRow,
            and_(
                ReviewVisitRow.participant_id == ReviewRepeatRow.participant_id,
                ReviewVisitRow.stage == ReviewRepeatRow.stage,
                ReviewVisitRow.image_id == ReviewRepeatRow.image_id,
            ),
        )
        .join(ClassRow, ClassRow.id == ReviewRepeatRow.class_id)
        .outerjoin(RepeatedReviewRow, own)
        .where(ReviewRepeatRow.participant_id == person, ReviewRepeatRow.stage == stage)
    )
