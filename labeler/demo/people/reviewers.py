"""Simulated reviewers: they see what is in a picture, and are rarely mistaken or unsure."""

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.review.blind_types import OwnFlag, OwnVerdict
from labeler.core.study.entities import CorrectKind, ProblemReason, Stage, Verdict
from labeler.demo.people.seen import PictureContents, seeded_chance

_NEAR = 3  # steps in the taxonomy, within which two classes are easily confused
_FLAGGED = 0.03
_MISTAKEN, _UNSURE, _UNSURE_OF_NEAR = 0.02, 0.03, 0.1


def simulated_verdict(
    reviewer: str, stage: Stage, seen: PictureContents, label: str, taxonomy: Taxonomy
) -> OwnVerdict:
    """What the reviewer says about a label of the picture."""
    luck = seeded_chance(reviewer, stage, seen.key, label).random()
    near = label != seen.target and taxonomy.distance(label, seen.target) <= _NEAR
    right = (label in seen.truth) != (luck < _MISTAKEN)
    if _MISTAKEN <= luck < _MISTAKEN + (_UNSURE_OF_NEAR if near else _UNSURE):
        return OwnVerdict(Verdict.UNCLEAR)
    if not right:
        return OwnVerdict(Verdict.WRONG)
    return OwnVerdict(Verdict.CORRECT, _kind(seen, label, near=near))


def simulated_flag(seen: PictureContents) -> OwnFlag | None:
    """A few pictures look so much put together that every reviewer says so."""
    if seeded_chance("problematic", seen.key).random() < _FLAGGED:
        return OwnFlag(frozenset({ProblemReason.EDITED}), "simulated")
    return None


def _kind(seen: PictureContents, label: str, *, near: bool) -> CorrectKind | None:
    if label == seen.target:
        return None
    return CorrectKind.SYNONYM_OR_SUBSET if near else CorrectKind.SEVERAL_OBJECTS
