"""The tables of subsets side by side, and of the superclasses."""

from collections.abc import Iterator

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.subsets import ALL
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.accuracy_tables import INTERVALS_NOTE, accuracy_cell, people_then_models
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    format_percent,
    table_with_sources,
    text_column,
)

_SIDE_BY_SIDE = (
    (
        "subsets-main",
        "All images, without dogs, objects, fast",
        (ALL, "without_dogs", "objects", "fast"),
    ),
    (
        "subsets-classes",
        "Dogs, animals without dogs, objects",
        ("dogs", "animals_without_dogs", "objects"),
    ),
    (
        "subsets-images",
        "Single-label, multi-label and problematic images",
        ("single_label", "multi_label", "problematic"),
    ),
)


def side_by_side_tables(cells: AccuracyIndex) -> Iterator[ReportTable]:
    """Subsets side by side, dataset by dataset within each."""
    for key, title, subsets in _SIDE_BY_SIDE:
        yield _side_by_side(cells, key, title, subsets)


def named_subsets_table(cells: AccuracyIndex) -> Iterator[ReportTable]:
    subtrees = tuple(s.key for s in cells.numbers.subsets if s.key.startswith("subtree:"))
    if subtrees:
        yield _side_by_side(cells, "subsets-named", "Subsets that were asked for", subtrees)


def _side_by_side(
    cells: AccuracyIndex, key: str, title: str, subsets: tuple[str, ...]
) -> ReportTable:
    metric = cells.main_metric
    places = [(s, d) for s in subsets if s in cells.titles for d in cells.datasets]
    used = [
        p
        for p in places
        if any((c, p[1], p[0], metric) in cells.accuracy for c in cells.numbers.study.participants)
    ]
    rows: list[tuple[str | ReportCell, ...]] = []
    for code in people_then_models(cells, metric):
        found = [cells.accuracy.get((code, d, s, metric)) for s, d in used]
        if any(found):
            rows.append((cells.display_name(code), *(accuracy_cell(cells, row) for row in found)))
    return table_with_sources(
        key=key,
        title=f"{title}: {METRIC_TITLES[metric].lower()} accuracy",
        note=INTERVALS_NOTE,
        columns=(
            text_column("Participant"),
            *(ReportColumn(f"{cells.titles[s]}, {d}") for s, d in used),
        ),
        rows=rows,
    )


def superclass_tables(cells: AccuracyIndex) -> Iterator[ReportTable]:
    """One table a dataset, with the superclasses that it has in columns."""
    metric = cells.main_metric
    every = [subset for subset in cells.numbers.subsets if subset.is_superclass]
    codes = people_then_models(cells, metric)
    for number, dataset in enumerate(cells.datasets, start=1):
        found = {
            (code, subset.key): cells.accuracy.get((code, dataset, subset.key, metric))
            for code in codes
            for subset in every
        }
        used = [s for s in every if any(found[code, s.key] is not None for code in codes)]
        yield table_with_sources(
            key=f"superclasses-{number}",
            title=f"Superclasses on {dataset}: {METRIC_TITLES[metric].lower()} accuracy",
            note="Percent, and of how many images.",
            columns=(text_column("Participant"), *(ReportColumn(subset.title) for subset in used)),
            rows=(
                (cells.display_name(code), *(_of_how_many(cells, found[code, s.key]) for s in used))
                for code in codes
                if used and any(found[code, s.key] is not None for s in used)
            ),
        )


def _of_how_many(cells: AccuracyIndex, row: Accuracy | None) -> ReportCell:
    text = NO_VALUE if row is None else f"{format_percent(row.accuracy)} ({row.total})"
    return ReportCell(text, cells.cell_sources.accuracies(row))
