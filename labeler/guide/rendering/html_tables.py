"""Render a page's tables: in columns if there is room, otherwise each row as a paragraph."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from labeler.guide.distinctions import DISTINCTION_COLUMNS


class TableLayout(Enum):
    """The layout of the table of distinctions."""

    COLUMNS = "columns"
    STACKED = "stacked"


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """A cell as HTML and as written in the page, and the classes that it links to."""

    html: str
    written: str
    wnids: frozenset[str]


# Qt can't style a table as a whole: its frame is set here, its colours in the style sheet.
_OPEN = '<table width="100%" cellspacing="0" cellpadding="0" border="0">'
_OPEN_NATURAL = '<table cellspacing="0" cellpadding="0" border="0">'
_NAME_WIDTHS = (' width="20%"', ' width="20%"', "")


def render_table(
    rows: Sequence[Sequence[HtmlCell]], *, tables: TableLayout, focus: str | None
) -> str:
    """Render the rows, those about the class in focus first and highlighted."""
    head, *body = rows
    focus = focus if _distinguishes(body, focus) else None
    # Sorting is stable: both parts keep the author's order.
    body.sort(key=lambda row: not _is_about(row, focus))
    distinctions = tuple(cell.written for cell in head) == DISTINCTION_COLUMNS
    if distinctions and tables is TableLayout.STACKED:
        html = "".join(_stacked(row, focus=focus) for row in body)
    else:
        widths = _NAME_WIDTHS if distinctions else ("",) * len(head)
        html = _header_row(head, widths) + "".join(_columns(row, focus=focus) for row in body)
    return f"{_OPEN}{html}</table>"


GALLERY = re.compile(re.escape(_OPEN_NATURAL) + ".*?</table>", re.DOTALL)


def render_pictures(pictures: Iterable[HtmlCell], *, tables: TableLayout) -> str:
    """Render pictures with their captions, two in a row if there is room."""
    shown = [f'<td class="picture">{it.html}{_caption(it.written)}</td>' for it in pictures]
    per_row = 2 if tables is TableLayout.COLUMNS else 1
    rows = [shown[start : start + per_row] for start in range(0, len(shown), per_row)]
    written = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"{_OPEN_NATURAL}{written}</table>"


def _caption(html: str) -> str:
    return f'<p class="caption">{html}</p>' if html else ""


def _header_row(cells: Sequence[HtmlCell], widths: Sequence[str]) -> str:
    named = zip(cells, widths, strict=True)
    return f"<tr>{''.join(f'<th{width}>{cell.html}</th>' for cell, width in named)}</tr>"


def _columns(cells: Sequence[HtmlCell], *, focus: str | None) -> str:
    kind = _kind(cells, focus=focus)
    return f"<tr>{''.join(f'<td{kind}>{cell.html}</td>' for cell in cells)}</tr>"


def _stacked(cells: Sequence[HtmlCell], *, focus: str | None) -> str:
    first, second, trait = cells
    kind = _kind(cells, focus=focus)
    names = f'{first.html} <span class="or">or</span> {second.html}'
    return f"<tr><td{kind}>{names}<br />{trait.html}</td></tr>"


def _kind(cells: Sequence[HtmlCell], *, focus: str | None) -> str:
    return ' class="focus"' if _is_about(cells, focus) else ""


def _distinguishes(rows: Sequence[Sequence[HtmlCell]], focus: str | None) -> bool:
    """Return whether highlighting helps, which it doesn't if every row is about the class."""
    return not all(_is_about(row, focus) for row in rows)


def _is_about(cells: Sequence[HtmlCell], focus: str | None) -> bool:
    return any(focus in cell.wnids for cell in cells[:2])
