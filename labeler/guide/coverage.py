"""How many classes and look-alike pairs a guide covers."""

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
    """Two classes in sorted order, how often they were confused, and the line of the file."""

    pair: tuple[str, str]
    count: int
    line: int


def read_lookalike_pairs(file: Path, *, taxonomy: Taxonomy) -> tuple[LookalikePair, ...]:
    """Read the pairs of a CSV file `wnid_a,wnid_b[,count]`, most often confused first."""
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
        problem = f"the header must be {','.join(_COLUMNS)}; the last column is optional."
        raise InputError(problem, file=file, line=1)
    for line, cells in rows:
        if cells:
            yield _pair([cell.strip() for cell in cells], len(columns), taxonomy, (file, line))


def _pair(
    cells: list[str], width: int, taxonomy: Taxonomy, location: tuple[Path, int]
) -> LookalikePair:
    file, line = location
    if len(cells) != width:
        problem = f"the row has {len(cells)} fields, but the header has {width}."
        raise InputError(problem, file=file, line=line)
    for wnid, column in zip(cells, _COLUMNS[:2], strict=False):
        if not taxonomy.is_class(wnid):
            problem = f"“{wnid}” is not a class of the taxonomy."
            raise InputError(problem, file=file, line=line, column=column)
    if cells[0] == cells[1]:
        raise InputError("a class can't be a look-alike of itself.", file=file, line=line)
    count = cells[2] if width > 2 else "1"
    if not _COUNT.fullmatch(count):
        problem = f"“{count}” is not a whole number."
        raise InputError(problem, file=file, line=line, column=_COLUMNS[2])
    first, second = sorted(cells[:2])
    return LookalikePair((first, second), int(count), line)


@dataclass(frozen=True, slots=True)
class GuideCoverage:
    """The number of pages, classes and pairs that a guide covers."""

    pages: int
    covered: int
    classes: int
    told_apart: int
    listed: int
    listed_told_apart: int

    @property
    def lines(self) -> tuple[str, ...]:
        """The numbers as sentences."""
        listed = (
            f"Listed look-alike pairs distinguished: {self.listed_told_apart:,} of {self.listed:,}."
        )
        return (
            f"Classes with a page: {self.covered:,} of {self.classes:,}, on {self.pages:,} pages.",
            f"Pairs distinguished: {self.told_apart:,}.",
            *([listed] if self.listed else ()),
        )


def guide_coverage(
    guide: Guide, *, taxonomy: Taxonomy, pairs: Sequence[LookalikePair] = ()
) -> GuideCoverage:
    """Count what the guide covers of the taxonomy and of a list of look-alike pairs."""
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
