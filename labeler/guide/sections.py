"""The five sections that every page of the guide has."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path

from labeler.core.errors import InputError

_MARK = "## "


class SectionHeading(Enum):
    """The headings of a page, in order; either of the first two may begin the page."""

    HOW_TO_TELL = "How to tell it from"
    WHAT_IT_IS = "What it is"
    TYPICAL_SCENES = "Typical scenes"
    ALSO_VALID = "Also-valid labels"
    TRAPS = "Traps in the labels"


# A table of traits, or a key among the definitions: what a reader wants first.
_OPENING = frozenset({SectionHeading.HOW_TO_TELL, SectionHeading.WHAT_IT_IS})


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, its line, and the lines below it."""

    heading: SectionHeading
    line: int
    lines: tuple[str, ...]


def parse_sections(
    lines: Sequence[str], *, first_line: int, file: Path | str
) -> dict[SectionHeading, Section]:
    """Find the sections in a page's body; `first_line` is its first line in the file."""
    starts = [index for index, line in enumerate(lines) if line.startswith(_MARK)]
    found: dict[SectionHeading, Section] = {}
    for start, end in pairwise([*starts, len(lines)]):
        number = first_line + start
        heading = _heading(lines[start], number=number, file=file)
        _check_order(heading, tuple(found), number=number, file=file)
        found[heading] = Section(heading, number, tuple(lines[start + 1 : end]))
    _check_complete(found, last_line=first_line + len(lines) - 1, file=file)
    return found


def _heading(line: str, *, number: int, file: Path | str) -> SectionHeading:
    name = line.removeprefix(_MARK).strip()
    try:
        return SectionHeading(name)
    except ValueError:
        known = ", ".join(f"“{heading.value}”" for heading in SectionHeading)
        raise InputError(
            f"The section “{name}” is unknown; a page has {known}.", file=file, line=number
        ) from None


def _check_order(
    heading: SectionHeading, before: tuple[SectionHeading, ...], *, number: int, file: Path | str
) -> None:
    if heading in before:
        problem = f"The section “{heading.value}” occurs a second time here."
    elif before and _rank(heading) < _rank(before[-1]):
        problem = f"The section “{heading.value}” must come before “{before[-1].value}”."
    else:
        return
    raise InputError(problem, file=file, line=number)


def _rank(heading: SectionHeading) -> int:
    return 0 if heading in _OPENING else list(SectionHeading).index(heading)


def _check_complete(
    found: dict[SectionHeading, Section], *, last_line: int, file: Path | str
) -> None:
    for heading in SectionHeading:
        if heading not in found:
            raise InputError(
                f"The section “{heading.value}” is missing.", file=file, line=last_line
            )
    for section in found.values():
        if not any(line.strip() for line in section.lines):
            raise InputError(
                f"The section “{section.heading.value}” is empty.", file=file, line=section.line
            )
