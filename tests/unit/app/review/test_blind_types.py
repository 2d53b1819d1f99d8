"""Blindness by type: nothing that reaches a reviewer has a place for where a label came from."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

import pytest

from labeler.app.review.disagreement_session import Dispute
from labeler.app.review.session import ReviewStart
from labeler.app.review.views import ClassReviewView, ImageReviewView, LabelView
from labeler.core.review.blind_types import BlindFlagCheck, BlindVisit
from labeler.core.review.subset_relations import SubsetRelation

FORBIDDEN = (
    *("target", "dataset", "file", "folder", "source", "model", "score", "rank", "proposed_by"),
    *("participant", "reviewer", "others", "count", "image_id", "plan", "hash", "added_by"),
)
# Where a declared relation between classes comes from is no source of a label.
ALLOWED = {(SubsetRelation, "source")}


def parts(kind: Any) -> Iterator[tuple[type, str]]:
    """Every field of a type and of all types in it."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        for field in fields(kind):
            yield kind, field.name
            yield from parts(hints[field.name])
    for argument in get_args(kind):
        yield from parts(argument)


@pytest.mark.parametrize(
    "view", [ImageReviewView, ClassReviewView, ReviewStart, BlindVisit, BlindFlagCheck, Dispute]
)
def test_no_view_of_a_reviewers_has_a_field_for_a_source(view: type) -> None:
    found = set(parts(view)) - ALLOWED
    assert found
    assert not [
        f"{kind.__name__}.{name}" for kind, name in found if any(w in name for w in FORBIDDEN)
    ]


def test_the_search_would_find_one() -> None:
    assert (LabelView, "own") in set(parts(ImageReviewView))
