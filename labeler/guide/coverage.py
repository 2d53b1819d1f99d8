"""How many classes and look-alike pairs a guide covers."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import InputError
from labeler.guide.distinctions import Distinction
from labeler.guide.front_matter import PageStatus
from labeler.guide.markdown import find_addresses
from labeler.guide.page import GuidePage
from labeler.guide.pages import Guide
from labeler.images.csv_rows import csv_rows

_CLASS_COLUMNS = ("wnid_a", "wnid_b")
_COUNT = re.compile(r"[0-9]{1,12}")
_EVIDENCE_COLUMNS = ("model_confusions", "label_errors", "together_in_one_image")
# How often a model confuses two classes, or labels do, before the pair needs a row.
_MIN_CONFUSIONS, _MIN_LABEL_ERRORS = 4, 3


@dataclass(frozen=True, slots=True)
class LookalikePair:
    """Two classes in sorted order, how often they were confused, and the line of the file."""

    pair: tuple[str, str]
    count: int
    line: int


def read_lookalike_pairs(file: Path, *, taxonomy: Taxonomy) -> tuple[LookalikePair, ...]:
    """Read the pairs of a CSV file `wnid_a,wnid_b[,count]`, most often confused first."""
    rows = _counted_pairs(file, taxonomy, headers=((), ("count",)))
    known: dict[tuple[str, str], LookalikePair] = {}
    for pair, counts, line in rows:
        found = LookalikePair(pair, counts[0] if counts else 1, line)
        first = known.get(pair)
        known[pair] = replace(first, count=first.count + found.count) if first else found
    return _most_confused_first(known.values())


def read_evidence_pairs(file: Path, *, taxonomy: Taxonomy) -> tuple[LookalikePair, ...]:
    """The pairs of a CSV file of evidence that are confused often enough to need a row."""
    rows = _counted_pairs(file, taxonomy, headers=(_EVIDENCE_COLUMNS,))
    return _most_confused_first(
        LookalikePair(pair, confusions + errors, line)
        for pair, (confusions, errors, _together), line in rows
        if confusions >= _MIN_CONFUSIONS or errors >= _MIN_LABEL_ERRORS
    )


def _most_confused_first(pairs: Iterable[LookalikePair]) -> tuple[LookalikePair, ...]:
    return tuple(sorted(pairs, key=lambda found: (-found.count, found.line)))


def _counted_pairs(
    file: Path, taxonomy: Taxonomy, *, headers: Sequence[tuple[str, ...]]
) -> Iterator[tuple[tuple[str, str], tuple[int, ...], int]]:
    """Each row's classes in sorted order, its counts and its line; `headers` name the counts."""
    rows = csv_rows(file)
    _, header = next(rows, (1, []))
    columns = tuple(cell.strip() for cell in header)
    if columns not in [_CLASS_COLUMNS + counts for counts in headers]:
        problem = f"the header must be {','.join(_CLASS_COLUMNS + headers[-1])}"
        optional = "; the last column is optional." if () in headers else "."
        raise InputError(problem + optional, file=file, line=1)
    for line, cells in rows:
        if cells:
            stripped = [cell.strip() for cell in cells]
            yield *_counted_pair(stripped, columns, taxonomy, (file, line)), line


def _counted_pair(
    cells: list[str], columns: tuple[str, ...], taxonomy: Taxonomy, place: tuple[Path, int]
) -> tuple[tuple[str, str], tuple[int, ...]]:
    file, line = place
    if len(cells) != len(columns):
        problem = f"the row has {len(cells)} fields, but the header has {len(columns)}."
        raise InputError(problem, file=file, line=line)
    for cell, column in zip(cells, columns, strict=True):
        if column in _CLASS_COLUMNS and not taxonomy.is_class(cell):
            problem = f"“{cell}” is not a class of the taxonomy."
            raise InputError(problem, file=file, line=line, column=column)
        if column not in _CLASS_COLUMNS and not _COUNT.fullmatch(cell):
            problem = f"“{cell}” is not a whole number."
            raise InputError(problem, file=file, line=line, column=column)
    if cells[0] == cells[1]:
        raise InputError("a class can't be a look-alike of itself.", file=file, line=line)
    first, second = sorted(cells[:2])
    return (first, second), tuple(map(int, cells[2:]))


@dataclass(frozen=True, slots=True)
class GuideCoverage:
    """The number of pages, classes and pairs that a guide covers."""

    pages: int
    covered: int
    classes: int
    told_apart: int
    listed: int
    listed_told_apart: int
    rows: int
    unverified_rows: int
    rows_without_visible_trait: tuple[str, ...]
    pages_without_picture: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The numbers as sentences."""
        listed = (
            f"Listed look-alike pairs distinguished: {self.listed_told_apart:,} of {self.listed:,}."
        )
        return (
            f"Classes with a page: {self.covered:,} of {self.classes:,}, on {self.pages:,} pages.",
            f"Pairs distinguished: {self.told_apart:,}.",
            f"Rows: {self.rows:,}, of which {self.unverified_rows:,} unverified.",
            _named("Rows without a visible trait", self.rows_without_visible_trait),
            _named("Pages without a picture", self.pages_without_picture),
            *([listed] if self.listed else ()),
        )


def _named(what: str, names: Sequence[str]) -> str:
    listed = f" ({', '.join(names)})" if names else ""
    return f"{what}: {len(names):,}{listed}."


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
        rows=sum(len(page.distinctions) for page in guide.pages),
        unverified_rows=sum(len(unverified_rows(page)) for page in guide.pages),
        rows_without_visible_trait=tuple(
            f"{page.slug}.md: {row.wnid} and {row.other}"
            for page in guide.pages
            for row in page.distinctions
            if not row.starts_visible
        ),
        pages_without_picture=tuple(
            f"{page.slug}.md" for page in guide.pages if not _has_picture(page)
        ),
    )


def unverified_rows(page: GuidePage) -> tuple[Distinction, ...]:
    """The rows marked as unverified; all of them on an unverified page that marks none."""
    marked = tuple(row for row in page.distinctions if row.is_unverified)
    return marked or (page.distinctions if page.status is PageStatus.UNVERIFIED else ())


def _has_picture(page: GuidePage) -> bool:
    return any(address.is_picture for address in find_addresses(page.body))
