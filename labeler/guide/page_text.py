"""Edits that the program makes to a page's text: its version, and rows for pairs of classes."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from labeler.core.classes.taxonomy import Taxonomy
from labeler.guide.distinctions import DISTINCTION_COLUMNS
from labeler.guide.front_matter import FRONT_MATTER_FENCE
from labeler.guide.page import normalize_newlines
from labeler.guide.sections import SectionHeading

_VERSION = re.compile(r"(\s*version\s*=\s*)\d+(.*)")
_ROW_START = "|"


@dataclass(frozen=True, slots=True)
class TextPosition:
    """A position in a text: a line from 1 and a column from 0."""

    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class NamedClass:
    """A class with the name that a page uses for it."""

    wnid: str
    name: str

    @property
    def link(self) -> str:
        return f"[{self.name}](class:{self.wnid})"


def with_version(text: str, number: int) -> str:
    """Return the text with the version in its front matter replaced, if there is one."""
    lines = normalize_newlines(text).split("\n")
    for index in range(1, _end_of_front_matter(lines)):
        if found := _VERSION.fullmatch(lines[index]):
            lines[index] = f"{found[1]}{number}{found[2]}"
            break
    return "\n".join(lines)


def equal_except_version(one: str, other: str) -> bool:
    """Return whether two texts are the same except for their versions."""
    return with_version(one, 0).rstrip("\n") == with_version(other, 0).rstrip("\n")


def find_distinction(text: str, one: str, other: str) -> TextPosition | None:
    """Return where the trait of the row for the two classes begins, or None without a row."""
    for number, line in _table(text):
        cells = line.split(_ROW_START)
        if len(cells) > 3 and {one, other} == _classes(cells):
            return _trait_position(line, number)
    return None


def with_distinction(text: str, one: NamedClass, other: NamedClass) -> tuple[str, TextPosition]:
    """Return the text with a row for the two classes, and the position of its trait.

    An existing row is unchanged. `one` must be a class that the page covers.
    """
    known = find_distinction(text, one.wnid, other.wnid)
    if known is not None:
        return text, known
    lines = normalize_newlines(text).split("\n")
    row = f"| {one.link} | {other.link} |  |"
    line = _insert_row(lines, row, [number for number, _line in _table(text)])
    return "\n".join(lines), _trait_position(row, line)


def table_header() -> tuple[str, str]:
    """Return the first two lines of the table."""
    return f"| {' | '.join(DISTINCTION_COLUMNS)} |", "|---|---|---|"


def _insert_row(lines: list[str], row: str, table: list[int]) -> int:
    """Insert the row at the end of the table, creating the table if necessary."""
    if table:
        last = table[-1]
        lines.insert(last, row)
        return last + 1
    start = _heading_line(lines)
    new = ["", *table_header(), row]
    lines[start:start] = new if start < len(lines) and not lines[start].strip() else [*new, ""]
    return start + len(new)


def _heading_line(lines: list[str]) -> int:
    """Return the line after the section's heading, which is appended if missing."""
    heading = f"## {SectionHeading.HOW_TO_TELL.value}"
    if heading not in (line.rstrip() for line in lines):
        lines += ["", heading]
        return len(lines)
    return next(n for n, line in enumerate(lines, start=1) if line.rstrip() == heading)


def _table(text: str) -> list[tuple[int, str]]:
    """Return the table's lines, numbered from 1."""
    inside, found = False, []
    for number, line in enumerate(normalize_newlines(text).split("\n"), start=1):
        if line.startswith("## "):
            inside = line.rstrip() == f"## {SectionHeading.HOW_TO_TELL.value}"
        elif inside and line.strip().startswith(_ROW_START):
            found.append((number, line))
    return found


def _classes(cells: list[str]) -> set[str]:
    return {found for cell in cells[1:3] for found in re.findall(r"\(class:(n[0-9]{8})\)", cell)}


def _trait_position(line: str, number: int) -> TextPosition:
    column = [found.end() for found in re.finditer(r"(?<!\\)\|", line)][2]
    return TextPosition(number, column + 1 if line[column : column + 1] == " " else column)


def _end_of_front_matter(lines: list[str]) -> int:
    closing = (n for n, line in enumerate(lines) if n and line.rstrip() == FRONT_MATTER_FENCE)
    return next(closing, 1)


_MAX_SLUG_LENGTH = 60


def new_page_text(wnids: Sequence[str], *, title: str, taxonomy: Taxonomy) -> str:
    """Return a new page on these classes with WordNet's glosses and empty sections.

    Empty sections are reported as problems until they are filled.
    """
    names = [taxonomy.display_names[wnid] for wnid in wnids]
    listed = [f'  "{wnid}", # {name}' for wnid, name in zip(wnids, names, strict=True)]
    glosses = [
        f"- **{name}**: {taxonomy[wnid].gloss}." for wnid, name in zip(wnids, names, strict=True)
    ]
    return "\n".join(
        [
            "+++",
            f"title = {_quoted(title)}",
            "wnids = [",
            *listed,
            "]",
            "version = 1",
            'status = "unverified"',
            "sources = [",
            f"  {_quoted(f'WordNet 3.0, glosses of {_joined(names)}')},",
            "]",
            "+++",
            "",
            f"# {title}",
            "",
            *_section(SectionHeading.HOW_TO_TELL, *table_header()),
            *_section(SectionHeading.WHAT_IT_IS, *glosses),
            *_section(SectionHeading.TYPICAL_SCENES),
            *_section(SectionHeading.ALSO_VALID),
            *_section(SectionHeading.TRAPS),
        ]
    )


def page_title(wnids: Sequence[str], taxonomy: Taxonomy) -> str:
    """Return the class names as a heading: `Marmot and beaver`."""
    joined = _joined([taxonomy.display_names[wnid] for wnid in wnids])
    return joined[:1].upper() + joined[1:]


def page_slug(title: str, *, taken: Collection[str]) -> str:
    """Return an unused slug made from the title."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)[:_MAX_SLUG_LENGTH].strip("-") or "page"
    numbered = (f"{slug}-{number}" for number in range(2, len(taken) + 3))
    return slug if slug not in taken else next(name for name in numbered if name not in taken)


def _section(heading: SectionHeading, *lines: str) -> list[str]:
    return [f"## {heading.value}", "", *lines, ""]


def _joined(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
