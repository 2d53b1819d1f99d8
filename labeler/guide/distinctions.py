"""The table that distinguishes a page's classes from their look-alikes."""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import InputError
from labeler.guide.sections import Section

DISTINCTION_COLUMNS = ("Class", "Look-alike", "The trait that decides")
_CLASS_LINK = re.compile(r"\[[^\[\]]+\]\(class:(n[0-9]{8})\)")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r":?-+:?")
_UNVERIFIED = "(unverified)"
# What a photograph doesn't show, at the place of the trait that tells most.
_INVISIBLE = re.compile(
    r"(?:size|weight|height|length|habitat|range|behaviou?r|voice|song|call|smell|taste|sound|use|"
    r"origin|price)\b",
    re.IGNORECASE,
)
# The row is about two different things in one picture, or says that they look different.
_NOT_ALIKE = re.compile(
    r"\b(?:no|not|aren’t|aren't) look-alikes?\b"
    r"|\b(?:don’t|don't|do not) look alike\b"
    r"|\beach (?:is |are )?right if\b"
    r"|\bboth (?:are correct |are right )?(?:when|if) both\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Distinction:
    """The visible trait that distinguishes a class from a look-alike."""

    wnid: str
    other: str
    trait: str

    @property
    def pair(self) -> tuple[str, str]:
        """The two classes in sorted order."""
        first, second = sorted((self.wnid, self.other))
        return first, second

    @property
    def is_unverified(self) -> bool:
        """Whether the row says that its trait was not found in a source."""
        return self.trait.endswith(_UNVERIFIED)

    @property
    def are_look_alikes(self) -> bool:
        """Whether one class can be taken for the other, rather than both being in a picture."""
        return _NOT_ALIKE.search(self.trait) is None

    @property
    def starts_visible(self) -> bool:
        """Whether the row's first words name something that a photograph can show."""
        return _INVISIBLE.match(self.trait) is None


def parse_distinctions(
    section: Section, *, covered: Set[str], file: Path | str
) -> tuple[Distinction, ...]:
    """Parse the section's table; its first column has the classes that the page covers."""
    rows = list(_rows(section))
    _check_header(rows, section=section, file=file)
    found: dict[tuple[str, str], Distinction] = {}
    for number, cells in rows[2:]:
        distinction = _distinction(cells, number=number, file=file)
        problem = _objection(distinction, covered=covered, known=found.keys())
        if problem:
            raise InputError(problem, file=file, line=number)
        found[distinction.pair] = distinction
    return tuple(found.values())


def _rows(section: Section) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(section.lines, start=section.line + 1):
        row = line.strip()
        if row.startswith("|"):
            cells = _CELL_BORDER.split(row.removeprefix("|").removesuffix("|"))
            yield number, [cell.strip().replace("\\|", "|") for cell in cells]


def _check_header(rows: list[tuple[int, list[str]]], *, section: Section, file: Path | str) -> None:
    header = " | ".join(DISTINCTION_COLUMNS)
    if not rows or tuple(rows[0][1]) != DISTINCTION_COLUMNS:
        line = rows[0][0] if rows else section.line
        raise InputError(
            f"A table with the header “{header}” is required here.", file=file, line=line
        )
    if len(rows) < 3 or not _is_rule(rows[1][1]):
        raise InputError(
            "The table's header must be followed by a line of dashes and at least one row.",
            file=file,
            line=rows[0][0],
        )


def _is_rule(cells: list[str]) -> bool:
    return len(cells) == len(DISTINCTION_COLUMNS) and all(_RULE.fullmatch(cell) for cell in cells)


def _distinction(cells: list[str], *, number: int, file: Path | str) -> Distinction:
    if len(cells) != len(DISTINCTION_COLUMNS):
        problem = f"The row has {len(cells)} cells instead of {len(DISTINCTION_COLUMNS)}."
        raise InputError(problem, file=file, line=number)
    links = [_CLASS_LINK.fullmatch(cell) for cell in cells[:2]]
    for link, cell, column in zip(links, cells, DISTINCTION_COLUMNS, strict=False):
        if link is None:
            problem = f"“{cell}” is not a link to a class, such as [marmot](class:n02361337)."
            raise InputError(problem, file=file, line=number, column=column)
    if not cells[2]:
        problem = "The trait is missing."
        raise InputError(problem, file=file, line=number, column=DISTINCTION_COLUMNS[2])
    wnid, other = (link.group(1) for link in links if link is not None)
    return Distinction(wnid=wnid, other=other, trait=cells[2])


def _objection(
    distinction: Distinction, *, covered: Set[str], known: Set[tuple[str, str]]
) -> str | None:
    if distinction.wnid == distinction.other:
        return f"{distinction.wnid} can't be a look-alike of itself."
    if distinction.wnid not in covered:
        return f"{distinction.wnid} in the first column is not among the page's wnids."
    if distinction.pair in known:
        return (
            f"{distinction.wnid} and {distinction.other} are already distinguished in a row above."
        )
    return None
