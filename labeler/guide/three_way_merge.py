"""Two people's changes to one text brought together, without losing a line of either."""

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
    """A stretch of lines as it was, as I have it and as they have it.

    Put one after the other, the stretches give all three texts back: nothing is left out.
    """

    base: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def is_conflict(self) -> bool:
        """Whether both changed it, each in another way."""
        return self.mine != self.theirs and self.base not in (self.mine, self.theirs)

    def lines(self, choice: MergeChoice = MergeChoice.BOTH) -> tuple[str, ...]:
        """What the stretch becomes; the choice counts where both changed it."""
        if not self.is_conflict:
            return self.theirs if self.mine == self.base else self.mine
        match choice:
            case MergeChoice.MINE:
                return self.mine
            case MergeChoice.THEIRS:
                return self.theirs
            case MergeChoice.BOTH:
                # What was saved first is first.
                return self.theirs + self.mine


@dataclass(frozen=True, slots=True)
class ThreeWayMerge:
    """The stretches of a text that two people changed, in their order."""

    stretches: tuple[MergeHunk, ...]

    @property
    def conflicts(self) -> tuple[int, ...]:
        """The places of the stretches that need a choice."""
        return tuple(n for n, stretch in enumerate(self.stretches) if stretch.is_conflict)

    def text(self, choices: Mapping[int, MergeChoice] | None = None) -> str:
        """The text with these choices; both sides where none is made."""
        chosen = choices or {}
        return "\n".join(
            line
            for place, stretch in enumerate(self.stretches)
            for line in stretch.lines(chosen.get(place, MergeChoice.BOTH))
        )


def merge_texts(base: str, *, mine: str, theirs: str) -> ThreeWayMerge:
    """Divide the three texts into stretches that belong together, line by line."""
    # Lines without their ends: a last line that lacks one must not run into the line after it.
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
    stretch = MergeHunk(*parts)
    if stretch.base or stretch.mine or stretch.theirs:
        yield stretch


def _common_runs(
    base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Runs of lines that neither changed: where they begin in each text, and how many."""
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
    """The pairs of runs that share a line of the old text, in its order."""
    for run in ours:
        for other in others:
            if max(run[0], other[0]) < min(run[0] + run[2], other[0] + other[2]):
                yield run, other


def merge_pages(base: str, *, mine: str, theirs: str) -> ThreeWayMerge:
    """Merge the texts but for their versions, which the program sets and no one disagrees on."""
    old, own, other = (with_version(text, 1) for text in (base, mine, theirs))
    return merge_texts(old, mine=own, theirs=other)
