"""Where a reviewer is: in which way they judge, and at which class; kept as a draft."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labeler.core.review.class_rounds import FIRST_ROUND, ClassRound
from labeler.core.study.entities import Stage


@dataclass(frozen=True, slots=True)
class ReviewPosition:
    """Whether the reviewer judges by class, and the class at which they were last."""

    by_class: bool = False
    at: ClassRound = FIRST_ROUND


def position_subject(stage: Stage) -> str:
    """Under what a place is kept, among drafts that are about single images."""
    return f"place in the {stage} review"


def position_to_draft(place: ReviewPosition) -> dict[str, object]:
    return {"by_class": place.by_class, "round": place.at.number, "wnid": place.at.wnid}


def position_from_draft(draft: Mapping[str, Any] | None) -> ReviewPosition:
    """The place that was kept; the beginning where none was, or nothing that can be read."""
    match draft:
        case {"by_class": bool(by_class), "round": int(number), "wnid": str(wnid)}:
            return ReviewPosition(by_class, ClassRound(number, wnid))
    return ReviewPosition()
