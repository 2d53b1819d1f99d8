"""A reviewer's part of a bundle: visits, the labels to judge, and own verdicts so far."""

import secrets

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.review.blinding import VISIT_PLACES
from labeler.core.study.entities import Stage
from labeler.store.schema import (
    ExposureRow,
    FlagAnswerRow,
    FlagCheckRow,
    RepeatedReviewRow,
    ReviewFlagRow,
    ReviewItemRow,
    ReviewPlanRow,
    ReviewRepeatRow,
    ReviewRow,
    ReviewVisitRow,
    SessionRow,
    table_of,
)
from labeler.store.sharing.bundle_plan import BundlePlan, ImageAdder
from labeler.store.sharing.row_copier import RowCopier, RowTranslator
from labeler.store.sharing.shared_tables import Link

_OWN = {"participant_id": Link.PERSON, "image_id": Link.IMAGE}


def copy_reviewer_work(
    copier: RowCopier, person: int, images: ImageAdder, plan: BundlePlan
) -> None:
    """Copy the visits; nothing says who proposed a label, or which labels no one did."""
    del plan
    images.add(visited_images(copier.study, person))
    copy_visits(copier, person)
    _copy_verdicts(copier, person)


def visited_images(study: Session, person: int) -> list[int]:
    """Return the images that the reviewer is asked about."""
    rows = (ReviewVisitRow, ReviewRepeatRow, FlagCheckRow)
    return [
        image
        for row in rows
        for image in study.scalars(select(row.image_id).where(row.participant_id == person))
    ]


def copy_visits(copier: RowTranslator, person: int) -> None:
    """Copy visits, repeats and checks, with the labels of their images.

    Places are drawn for the bundle: those of the study follow from its seed and the images' names.
    """
    _add_plans(copier)
    places: dict[tuple[Stage, int], int] = {}
    for row, kind in (
        (ReviewVisitRow, Link.VISIT),
        (ReviewRepeatRow, Link.REPEAT),
        (FlagCheckRow, Link.CHECK),
    ):
        own = row.participant_id == person
        copier.give_tokens(kind, copier.study.scalars(select(row.id).where(own)))
        found = copier.translated(row, own, links={"id": kind, **_OWN})
        for each in found:
            asked = (each["stage"], each["image_id"])
            if row is ReviewRepeatRow:
                each["place"] = places.get(asked, 0) + VISIT_PLACES // 2
            else:
                each["place"] = secrets.randbelow(VISIT_PLACES)
            if row is ReviewVisitRow:
                places[asked] = each["place"]
        if row is ReviewVisitRow:
            _copy_items(copier, set(places))
        copier.add(row, found)


def _add_plans(copier: RowTranslator) -> None:
    """Add the plans that visits refer to, with nothing of how they were made."""
    rows = [
        {
            "id": row.id,
            "stage": row.stage,
            "seed": secrets.randbits(31),
            "overlap": 1,
            "model_seeds": 0,
            "again": 0.0,
            "repeats": 0.0,
            "program_version": "",
            "made_at": row.made_at,
        }
        for row in copier.study.scalars(select(ReviewPlanRow))
    ]
    copier.add(ReviewPlanRow, rows)


def _copy_items(copier: RowTranslator, visited: set[tuple[Stage, int]]) -> None:
    """Copy the labels of visited images; a label that a reviewer added looks like the others."""
    rows = []
    for row in copier.study.scalars(select(ReviewItemRow)):
        image = copier.tokens[Link.IMAGE].get(row.image_id)
        if (row.stage, image) in visited:
            rows.append(
                {
                    "stage": row.stage,
                    "image_id": image,
                    "class_id": row.class_id,
                    "plan_id": None,
                    "added_by": None,
                    "added_at": "",
                }
            )
    copier.add(ReviewItemRow, rows)


def _copy_verdicts(copier: RowCopier, person: int) -> None:
    copier.copy(
        ReviewRow, ReviewRow.participant_id == person, links=_OWN, session_id=None, lap=None
    )
    copier.copy(ReviewFlagRow, ReviewFlagRow.participant_id == person, links=_OWN, leave_out=["id"])
    copier.copy(
        ExposureRow,
        ExposureRow.participant_id == person,
        links=_OWN,
        leave_out=["id"],
        session_id=None,
        class_id=None,
    )
    for row, column, kind in (
        (RepeatedReviewRow, "repeat_id", Link.REPEAT),
        (FlagAnswerRow, "check_id", Link.CHECK),
    ):
        _copy_with_sessions(copier, row, column, kind)


def _copy_with_sessions(
    copier: RowCopier,
    row: type[RepeatedReviewRow] | type[FlagAnswerRow],
    column: str,
    kind: Link,
) -> None:
    """Copy rows that need the session in which they were written."""
    found = [
        each
        for each in copier.study.execute(select(table_of(row))).mappings()
        if each[column] in copier.tokens[kind]
    ]
    sessions = {each["session_id"] for each in found}
    known = set(copier.bundle.scalars(select(SessionRow.id)))
    copier.copy(
        SessionRow,
        SessionRow.id.in_(sorted(sessions - known)),
        links={"participant_id": Link.PERSON},
    )
    copier.add(row, [{**each, column: copier.tokens[kind][each[column]]} for each in found])
