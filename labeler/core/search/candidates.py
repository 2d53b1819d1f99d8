"""Candidates: classes that match what was typed, with what decides their order."""

from typing import NamedTuple

from labeler.core.search.hits import Match
from labeler.core.search.names import Name


class Rank(NamedTuple):
    """What decides the order; compared from the top, less is better."""

    match: Match
    typos: float
    kind: Match
    looseness: float
    field: int
    uncovered: float
    length: int
    class_index: int


class Candidate(NamedTuple):
    """A class with its rank, and the name that matched unless the words were all over."""

    rank: Rank
    name: Name | None


def named_candidate(
    name: Name, kind: Match, *, looseness: int, typos: int = 0, letters: int | None = None
) -> Candidate:
    """A class that one of its names puts forward; all of the name was typed unless told."""
    length = name.letters
    uncovered = 0.0 if letters is None or letters >= length else 1 - letters / length
    # By position: this is done hundreds of times for each key.
    rank = Rank(
        Match.TYPO if typos else kind,
        typos,
        kind,
        looseness,
        0 if name.shown else 1,
        uncovered,
        length,
        name.class_index,
    )
    return Candidate(rank, name)
