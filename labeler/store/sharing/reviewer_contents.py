"""A reviewer's part of a bundle: visits, the labels to judge, and own verdicts so far."""

import secrets

from sqlalchemy import select

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
from labeler.store.sharing.row_copier import RowCopier
from labeler.store.sharing.shared_tables import Link

_OWN = {"participant_id": Link.PERSON, "image_id": Link.IMAGE}


def copy_reviewer_work(
    copier: RowCopier, person: int, images: ImageAdder, plan: BundlePlan
) -> None:
    """Copy the visits; nothing says who proposed a label, or which labels no one did."""
    del plan
    rows = (ReviewVisitRow, ReviewRepeatRow, FlagCheckRow)
    for row in rows:
        images.add(copier.study.scalars(select(row.image_id).where(row.participant_id == person)))
    _add_plans(copier)
    copy_new_visits(copier, person)
    _copy_verdicts(copier, person)


def _add_plans(copier: RowCopier) -> None:
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
        if copier.bundle.get(ReviewPlanRow, row.id) is None
    ]
    copier.add(ReviewPlanRow, rows)


def copy_new_visits(copier: RowCopier, person: int) -> int:
    """Copy visits, repeats and checks without a token, with the labels of their images."""
    _add_plans(copier)
    count = 0
    for row, kind in (
        (ReviewVisitRow, Link.VISIT),
        (ReviewRepeatRow, Link.REPEAT),
        (FlagCheckRow, Link.CHECK),
    ):
        own = row.participant_id == person
        new = set(copier.give_tokens(kind, copier.study.scalars(select(row.id).where(own))))
        rows = [
            {
                **each,
                "id": copier.tokens[kind][each["id"]],
                "participant_id": 1,
                "image_id": copier.tokens[Link.IMAGE][each["image_id"]],
            }
            for each in copier.study.execute(select(table_of(row)).where(own)).mappings()
            if each["id"] in new
        ]
        if row is ReviewVisitRow:
            _copy_items(copier, {(r["stage"], r["image_id"]) for r in rows})
        copier.add(row, rows)
        count += len(rows)
    return count


def _copy_items(copier: RowCopier, visited: set[tuple[Stage, int]]) -> None:
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
