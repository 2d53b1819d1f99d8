"""A file of look-alike pairs: which classes get confused, and how often."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import InputError
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
