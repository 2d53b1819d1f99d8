"""How a class's images come before a reviewer: all at once, or in two rounds.

A second asking of a pair can't stand in one grid with the first. So a class of which something is
asked twice comes a second time, when every class has come once: with the images that are asked
again, and mixed among them as many that were held back from the first round. Nothing tells which is
which.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from labeler.core.review.blind_types import BlindVisit
from labeler.core.review.blinding import held_for_second_round


class ClassRound(NamedTuple):
    """A class before the reviewer for the first or the second time; all first rounds come first."""

    number: int
    wnid: str


# No class comes before it.
FIRST_ROUND = ClassRound(1, "")


def class_rounds(visits: Iterable[BlindVisit]) -> dict[ClassRound, tuple[str, ...]]:
    """The visits of every round."""
    asked: dict[str, list[str]] = defaultdict(list)
    again: dict[str, dict[str, str]] = defaultdict(dict)
    for visit in visits:
        for label in visit.labels:
            if visit.first is None:
                asked[label.wnid].append(visit.visit_id)
            else:
                again[label.wnid][visit.visit_id] = visit.first
    rounds: dict[ClassRound, tuple[str, ...]] = {}
    for wnid in asked.keys() | again.keys():
        rounds |= _of_class(wnid, asked[wnid], again[wnid])
    return rounds


def _of_class(
    wnid: str, asked: list[str], again: dict[str, str]
) -> dict[ClassRound, tuple[str, ...]]:
    once = set(asked) - set(again.values())
    held = frozenset(held_for_second_round(wnid, once, count=len(again)))
    parts = (
        [visit_id for visit_id in asked if visit_id not in held],
        [*again, *(visit_id for visit_id in asked if visit_id in held)],
    )
    return {ClassRound(number, wnid): tuple(part) for number, part in enumerate(parts, 1) if part}
