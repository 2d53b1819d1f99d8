"""The table of the selection."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from labeler.app.results.selection import MetricCell, Selection
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.definitions import Convention, Metric
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.cell_source_builder import CellSourceBuilder
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    format_signed,
    format_with_interval,
    table_with_sources,
    text_column,
)

NOTHING_SELECTED = "Select at least one dataset, one participant and one subset."
NOTHING_JUDGED = "No image has been judged yet, so there are no multi-labels. Top-1 needs none."
CONVENTION_HEADINGS = {
    Convention.POOLED: "only correct counts, pooled over images",
    Convention.UNCLEAR_COUNTS: "unclear counts as correct, pooled over images",
    Convention.PER_CLASS: "only correct counts, averaged per class",
    Convention.PER_CLASS_UNCLEAR_COUNTS: "unclear counts as correct, averaged per class",
}
assert set(CONVENTION_HEADINGS) == set(Convention), "every convention has a heading"


def make_selection_table(
    cells: AccuracyIndex,
    titles: Mapping[str, str],
    selection: Selection,
    found: Mapping[MetricCell, Accuracy],
    *,
    left_out: str = "",
) -> ReportTable:
    """Return participants in rows; datasets, and subsets if several, in columns.

    `left_out` is a sentence about selected subsets that the table doesn't show.
    """
    builder = _TableBuilder(cells, titles, selection, found)
    rows = [code for code in selection.participants if builder.has(code)]
    return table_with_sources(
        key="chosen",
        title=_title(titles, selection),
        note=" ".join(filter(None, (_note(cells, selection, bool(rows)), left_out))),
        columns=(text_column("Participant"), text_column("Kind"), *builder.columns()),
        rows=map(builder.row, rows),
    )


@dataclass(frozen=True, slots=True)
class _TableBuilder:
    cells: AccuracyIndex
    titles: Mapping[str, str]
    selection: Selection
    found: Mapping[MetricCell, Accuracy]

    def has(self, code: str) -> bool:
        return any(row is not None for subset in self._subsets for row in self._of(code, subset))

    def columns(self) -> Iterator[ReportColumn]:
        several = len(self._subsets) > 1
        for subset in self._subsets:
            before = f"{self.titles[subset]}, " if several else ""
            for dataset in self.selection.datasets:
                yield ReportColumn(f"{before}{dataset}, %")
                if not several:
                    yield ReportColumn("n")
            if self._compares:
                yield ReportColumn(f"{before}gap")

    def row(self, code: str) -> Iterator[str | ReportCell]:
        trace = CellSourceBuilder(self.cells.display_name, self.titles).accuracies
        yield from (self.cells.display_name(code), str(self.cells.display_name.kind(code)))
        for subset in self._subsets:
            rows = self._of(code, subset)
            for row in rows:
                yield ReportCell(_row_note(row), trace(row))
                if len(self._subsets) == 1:
                    yield ReportCell(NO_VALUE if row is None else f"{row.total:,}", trace(row))
            if self._compares:
                yield ReportCell(_gap(rows), trace(*rows))

    @property
    def _subsets(self) -> tuple[str, ...]:
        return self.selection.subsets

    @property
    def _compares(self) -> bool:
        return len(self.selection.datasets) == 2

    def _of(self, code: str, subset: str) -> list[Accuracy | None]:
        return [self.found.get((code, d, subset)) for d in self.selection.datasets]


def _row_note(row: Accuracy | None) -> str:
    return NO_VALUE if row is None else format_with_interval(row.accuracy, row.ci_low, row.ci_high)


def _gap(rows: Sequence[Accuracy | None]) -> str:
    first, second = rows
    return (
        NO_VALUE
        if first is None or second is None
        else format_signed(first.accuracy - second.accuracy)
    )


def _title(titles: Mapping[str, str], selection: Selection) -> str:
    named = [titles[key].lower() for key in selection.subsets]
    where = named[0] if len(named) == 1 else f"{len(named)} subsets"
    return f"{METRIC_TITLES[selection.metric]} accuracy, {where}"


def _note(cells: AccuracyIndex, selection: Selection, has_rows: bool) -> str:
    if not has_rows:
        return _why_nothing(cells, selection)
    interval = "bootstrap" if selection.convention.per_class else "exact Clopper–Pearson"
    sentence = (
        f"Percent with 95 % {interval} intervals; {CONVENTION_HEADINGS[selection.convention]}."
    )
    return " ".join(filter(None, (sentence, _missing(cells, selection))))


def _why_nothing(cells: AccuracyIndex, selection: Selection) -> str:
    if not (selection.datasets and selection.participants and selection.subsets):
        return NOTHING_SELECTED
    judged = any(tally.unjudged < tally.evaluated for tally in cells.numbers.datasets)
    if selection.metric.needs_labels and not judged:
        return NOTHING_JUDGED
    if selection.metric is Metric.TOP5:
        return "Top-5 needs several guesses per image; no selected participant has them."
    if selection.metric is Metric.MULTI_LABEL_IMPUTED:
        return "Only people use escape hatches, and no selected person has an answer here."
    return "No selected participant has an answer in these subsets."


def _missing(cells: AccuracyIndex, selection: Selection) -> str:
    """Return who has answered only a part of the evaluated images."""
    partial = [
        f"{cells.display_name(row.participant)} {row.answered:,} of {row.evaluated:,} on "
        f"{row.dataset}"
        for row in cells.numbers.coverage
        if row.participant in selection.participants
        and row.dataset in selection.datasets
        and row.answered < row.evaluated
    ]
    shown = "; ".join(partial[:3]) + (f"; and {len(partial) - 3:,} more" if partial[3:] else "")
    return f"Partly answered: {shown}." if partial else ""
