"""A table of a report as plain text in cells: what CSV, LaTeX, HTML and PDF all show."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from labeler.core.metrics.cell_source import EvaluationSource

# The window shows tables before it has any use for arrays.

# In the place of a number that there isn't.
NO_VALUE = "–"


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column and whether it holds numbers, which stand to the right."""

    title: str
    number: bool = True


@dataclass(frozen=True, slots=True)
class ReportCell:
    """A text, and the images that its number represents."""

    text: str
    source: EvaluationSource | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """`key` names its files; `note` says what a reader must know to read it right.

    `sources` says, by row and column, which images a cell represents.
    """

    key: str
    title: str
    note: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    sources: Mapping[tuple[int, int], EvaluationSource] = field(default_factory=dict, compare=False)

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
    """A table of cells of which some lead to images; one without a number leads nowhere."""
    made = [[c if isinstance(c, ReportCell) else ReportCell(c, None) for c in row] for row in rows]
    return ReportTable(
        key=key,
        title=title,
        note=note,
        columns=tuple(columns),
        rows=tuple(tuple(cell.text for cell in row) for row in made),
        sources={
            (number, column): cell.source
            for number, row in enumerate(made)
            for column, cell in enumerate(row)
            if cell.source is not None and cell.text != NO_VALUE
        },
    )


def cells_with_source(source: EvaluationSource | None, *texts: str) -> list[ReportCell]:
    """Cells that are all computed from the same images."""
    return [ReportCell(text, source) for text in texts]


def count_cell(source: EvaluationSource | None, count: int) -> ReportCell:
    """How many images there are, which leads to them where there are any."""
    return ReportCell(f"{count:,}", source if count else None)


def text_column(title: str) -> ReportColumn:
    return ReportColumn(title, number=False)


def format_percent(share: float) -> str:
    """`84.2`: a fraction as percent with one decimal."""
    return f"{100 * share:.1f}"


def format_with_interval(share: float, low: float, high: float) -> str:
    """`84.2 [81.8, 86.5]`."""
    return f"{format_percent(share)} [{format_percent(low)}, {format_percent(high)}]"


def format_signed(share: float) -> str:
    """`+2.1`, or `−0.4` with a real minus; nothing, and less than can be seen, has no sign."""
    text = f"{100 * share:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def format_p_value(p_value: float) -> str:
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"
