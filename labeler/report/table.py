"""A table of a report as text cells, for CSV, LaTeX, HTML and PDF."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from labeler.core.metrics.cell_source import EvaluationSource

# The window shows tables before numpy is needed.

# Shown where a number is missing.
NO_VALUE = "–"


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column; numbers are right-aligned."""

    title: str
    number: bool = True


@dataclass(frozen=True, slots=True)
class ReportCell:
    """A text, the images that its number represents, and the number in full for a tooltip."""

    text: str
    source: EvaluationSource | None
    exact: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """A table; `key` is used in file names, `note` explains how to read it.

    `sources` maps (row, column) to the images that a cell represents, `exact` to its tooltip.
    """

    key: str
    title: str
    note: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    sources: Mapping[tuple[int, int], EvaluationSource] = field(default_factory=dict, compare=False)
    exact: Mapping[tuple[int, int], str] = field(default_factory=dict, compare=False)

    @property
    def head(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)


def table_with_sources(
    *,
    key: str,
    title: str,
    note: str,
    columns: Sequence[ReportColumn],
    rows: Iterable[Iterable[str | ReportCell]],
) -> ReportTable:
    """Return a table whose cells may have sources; cells without a value have none."""
    cells = [[c if isinstance(c, ReportCell) else ReportCell(c, None) for c in row] for row in rows]
    return ReportTable(
        key=key,
        title=title,
        note=note,
        columns=tuple(columns),
        rows=tuple(tuple(cell.text for cell in row) for row in cells),
        sources={
            (number, column): cell.source
            for number, row in enumerate(cells)
            for column, cell in enumerate(row)
            if cell.source is not None and cell.text != NO_VALUE
        },
        exact={
            (number, column): cell.exact
            for number, row in enumerate(cells)
            for column, cell in enumerate(row)
            if cell.exact
        },
    )


def cells_with_source(source: EvaluationSource | None, *texts: str) -> list[ReportCell]:
    """Return cells that are all computed from the same images."""
    return [ReportCell(text, source) for text in texts]


def count_cell(source: EvaluationSource | None, count: int) -> ReportCell:
    """Return a cell with a count; its source is dropped if the count is zero."""
    return ReportCell(f"{count:,}", source if count else None)


def without_empty_columns(table: ReportTable) -> ReportTable:
    """Leave out columns in which no row has a value."""
    kept = [
        place
        for place in range(len(table.columns))
        if any(row[place] not in ("", NO_VALUE) for row in table.rows)
    ]
    if len(kept) == len(table.columns) or not table.rows:
        return table
    position = {old: new for new, old in enumerate(kept)}
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
        sources={
            (row, position[column]): source
            for (row, column), source in table.sources.items()
            if column in position
        },
        exact={
            (row, position[column]): text
            for (row, column), text in table.exact.items()
            if column in position
        },
    )


def text_column(title: str) -> ReportColumn:
    return ReportColumn(title, number=False)


def format_percent(share: float) -> str:
    """Format a fraction as percent with one decimal: `84.2`."""
    return f"{100 * share:.1f}"


def format_with_interval(share: float, low: float, high: float) -> str:
    """Format a share with its interval: `84.2 [81.8, 86.5]`."""
    return f"{format_percent(share)} [{format_percent(low)}, {format_percent(high)}]"


def format_signed(share: float) -> str:
    """Format a difference: `+2.1`, or `−0.4` with a minus sign; a rounded zero has no sign."""
    text = f"{100 * share:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def format_signed_interval(share: float, low: float, high: float) -> str:
    """Format a difference with its interval: `+4.3 [−3.4, +12.2]`."""
    return f"{format_signed(share)} [{format_signed(low)}, {format_signed(high)}]"


def format_p_value(p_value: float) -> str:
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"
