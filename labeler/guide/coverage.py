"""How much of its job a guide does: the classes that have a page, the pairs that are
distinguished."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import InputError
from labeler.guide.pages import Guide
from labeler.images.csv_rows import csv_rows

_COLUMNS = ("wnid_a", "wnid_b", "count")
_COUNT = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class LookalikePair:
    """Two classes in sorted order, how often one was taken for the other, and its line."""

    pair: tuple[str, str]
    count: int
    line: int


def read_lookalike_pairs(file: Path, *, taxonomy: Taxonomy) -> tuple[LookalikePair, ...]:
    """The pairs of a CSV file `wnid_a,wnid_b[,count]`, most often confused first."""
    known: dict[tuple[str, str], LookalikePair] = {}
    for found in _pairs(file, taxonomy):
        first = known.get(found.pair)
        known[found.pair] = replace(first, count=first.count + found.count) if first else found
    return tuple(sorted(known.values(), key=lambda found: (-found.count, found.line)))


def _pairs(file: Path, taxonomy: Taxonomy) -> Iterator[LookalikePair]:
    rows = csv_rows(file)
    _, header = next(rows, (1, []))
    columns = tuple(cell.strip() for cell in header)
    if columns not in (_COLUMNS[:2], _COLUMNS):
        problem = f"the header must be {','.join(_COLUMNS)}, the last of which may be left out."
        raise InputError(problem, file=file, line=1)
    for line, cells in rows:
        if cells:
            yield _pair([cell.strip() for cell in cells], len(columns), taxonomy, (file, line))


def _pair(
    cells: list[str], width: int, taxonomy: Taxonomy, place: tuple[Path, int]
) -> LookalikePair:
    file, line = place
    if len(cells) != width:
        problem = f"the row has {len(cells)} fields, but the header has {width}."
        raise InputError(problem, file=file, line=line)
    for wnid, column in zip(cells, _COLUMNS[:2], strict=False):
        if not taxonomy.is_class(wnid):
            problem = f"“{wnid}” is no class of the taxonomy."
            raise InputError(problem, file=file, line=line, column=column)
    if cells[0] == cells[1]:
        raise InputError("a class can't be told from itself.", file=file, line=line)
    count = cells[2] if width > 2 else "1"
    if not _COUNT.fullmatch(count):
        problem = f"“{count}” is no whole number."
        raise InputError(problem, file=file, line=line, column=_COLUMNS[2])
    first, second = sorted(cells[:2])
    return LookalikePair((first, second), int(count), line)


@dataclass(frozen=True, slots=True)
class GuideCoverage:
    """What a guide covers: pages, classes, pairs; and of a list of pairs, how many."""

    pages: int
    covered: int
    classes: int
    told_apart: int
    listed: int
    listed_told_apart: int

    @property
    def lines(self) -> tuple[str, ...]:
        """The numbers for a person to read."""
        listed = f"Of the listed look-alikes: {self.listed_told_apart:,} of {self.listed:,}."
        return (
            f"Classes with a page: {self.covered:,} of {self.classes:,}, on {self.pages:,} pages.",
            f"Pairs told apart: {self.told_apart:,}.",
            *([listed] if self.listed else ()),
        )


def guide_coverage(
    guide: Guide, *, taxonomy: Taxonomy, pairs: Sequence[LookalikePair] = ()
) -> GuideCoverage:
    """Count what the guide covers of the taxonomy, and of a list of look-alike pairs."""
    covered = {wnid for page in guide.pages for wnid in page.wnids if taxonomy.is_class(wnid)}
    distinguished = frozenset(guide.pairs())
    return GuideCoverage(
        pages=len(guide.pages),
        covered=len(covered),
        classes=len(taxonomy.class_wnids),
        told_apart=len(distinguished),
        listed=len(pairs),
        listed_told_apart=sum(listed.pair in distinguished for listed in pairs),
    )
