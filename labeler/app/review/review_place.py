"""Where a reviewer is: in which way they judge, and at which class; kept as a draft."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labeler.core.review.class_rounds import FIRST_ROUND, Round
from labeler.core.study.entities import Stage


@dataclass(frozen=True, slots=True)
class ReviewPlace:
    """Whether the reviewer judges by class, and the class at which they were last."""

    by_class: bool = False
    at: Round = FIRST_ROUND


def subject_of(stage: Stage) -> str:
    """Under what a place is kept, among drafts that are about single images."""
    return f"place in the {stage} review"


def to_draft(place: ReviewPlace) -> dict[str, object]:
    return {"by_class": place.by_class, "round": place.at.number, "wnid": place.at.wnid}


def from_draft(draft: Mapping[str, Any] | None) -> ReviewPlace:
    """The place that was kept; the beginning where none was, or nothing that can be read."""
    match draft:
        case {"by_class": bool(by_class), "round": int(number), "wnid": str(wnid)}:
            return ReviewPlace(by_class, Round(number, wnid))
    return ReviewPlace()
