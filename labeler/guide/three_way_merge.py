"""Merge two people's changes to a text without losing a line of either."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

from labeler.guide.page_text import with_version


class MergeChoice(Enum):
    """What to take where both changed the same lines."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class MergeHunk:
    """Lines of the base, of my version and of their version.

    Joined in order, the hunks give all three texts completely.
    """

    base: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def is_conflict(self) -> bool:
        """Whether both changed it in different ways."""
        return self.mine != self.theirs and self.base not in (self.mine, self.theirs)

    def lines(self, choice: MergeChoice = MergeChoice.BOTH) -> tuple[str, ...]:
        """Return the merged lines; the choice only matters for a conflict."""
        if not self.is_conflict:
            return self.theirs if self.mine == self.base else self.mine
        match choice:
            case MergeChoice.MINE:
                return self.mine
            case MergeChoice.THEIRS:
                return self.theirs
            case MergeChoice.BOTH:
                # What was saved first comes first.
                return self.theirs + self.mine


@dataclass(frozen=True, slots=True)
class ThreeWayMerge:
    """The hunks of a text that two people changed, in order."""

    stretches: tuple[MergeHunk, ...]

    @property
    def conflicts(self) -> tuple[int, ...]:
        """The positions of the hunks that need a choice."""
        return tuple(n for n, hunk in enumerate(self.stretches) if hunk.is_conflict)

    def text(self, choices: Mapping[int, MergeChoice] | None = None) -> str:
        """Return the text with these choices; without a choice, both sides."""
        chosen = choices or {}
        return "\n".join(
            line
            for number, hunk in enumerate(self.stretches)
            for line in hunk.lines(chosen.get(number, MergeChoice.BOTH))
        )


def merge_texts(base: str, *, mine: str, theirs: str) -> ThreeWayMerge:
    """Split the three texts into hunks, line by line."""
    # Lines without line endings, so that a last line without one doesn't join the next line.
    old, own, other = (text.split("\n") for text in (base, mine, theirs))
    return ThreeWayMerge(tuple(_hunks(old, own, other)))


def _hunks(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> Iterator[MergeHunk]:
    at = (0, 0, 0)
    for start, in_mine, in_theirs, size in _common_runs(base, mine, theirs):
        yield from _hunk(base, mine, theirs, at, (start, in_mine, in_theirs))
        at = (start + size, in_mine + size, in_theirs + size)
        yield from _hunk(base, mine, theirs, (start, in_mine, in_theirs), at)
    yield from _hunk(base, mine, theirs, at, (len(base), len(mine), len(theirs)))


def _hunk(
    base: Sequence[str],
    mine: Sequence[str],
    theirs: Sequence[str],
    starts: tuple[int, int, int],
    ends: tuple[int, int, int],
) -> Iterator[MergeHunk]:
    parts = (
        tuple(text[start:end])
        for text, start, end in zip((base, mine, theirs), starts, ends, strict=True)
    )
    hunk = MergeHunk(*parts)
    if hunk.base or hunk.mine or hunk.theirs:
        yield hunk


def _common_runs(
    base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield runs of lines that neither changed: their start in each text, and their length."""
    for (start, in_mine, size), (other, in_theirs, length) in _overlapping(
        _matching_runs(base, mine), _matching_runs(base, theirs)
    ):
        first, last = max(start, other), min(start + size, other + length)
        yield first, in_mine + first - start, in_theirs + first - other, last - first


def _matching_runs(base: Sequence[str], changed: Sequence[str]) -> list[tuple[int, int, int]]:
    matcher = SequenceMatcher(None, base, changed, autojunk=False)
    return [(block.a, block.b, block.size) for block in matcher.get_matching_blocks() if block.size]


def _overlapping(
    ours: Iterable[tuple[int, int, int]], others: Sequence[tuple[int, int, int]]
) -> Iterator[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    """Yield the pairs of runs that share a line of the base, in order."""
    for run in ours:
        for other in others:
            if max(run[0], other[0]) < min(run[0] + run[2], other[0] + other[2]):
                yield run, other


def merge_pages(base: str, *, mine: str, theirs: str) -> ThreeWayMerge:
    """Merge the texts except for their versions, which are set by the program."""
    old, own, other = (with_version(text, 1) for text in (base, mine, theirs))
    return merge_texts(old, mine=own, theirs=other)
