"""Accuracies on the images with a factor that the lead imported, such as their pose."""

from collections.abc import Sequence

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.subsets import ALL
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.accuracy_tables import accuracy_cell
from labeler.report.table import (
    ReportCell,
    ReportColumn,
    ReportTable,
    format_percent,
    table_with_sources,
    text_column,
)


def factors_table(cells: AccuracyIndex) -> ReportTable:
    """Return the accuracies on the images with each imported factor, and on all images."""
    factors = cells.shown_subsets(s.key for s in cells.numbers.subsets if s.is_factor)
    rows = [
        row
        for subset in (ALL, *factors.keys)
        for dataset in cells.datasets
        if (row := _factor_row(cells, subset, dataset)) is not None
    ]
    return table_with_sources(
        key="factors",
        title=f"Image factors: {METRIC_TITLES[cells.main_metric].lower()} accuracy",
        note=" ".join(
            filter(
                None,
                (
                    "Means over participants; the best participant of each kind on all images, "
                    "with exact 95 % intervals.",
                    factors.sentence,
                ),
            )
        ),
        columns=(
            text_column("Factor"),
            text_column("Dataset"),
            *map(ReportColumn, ("Images", "Humans, mean", "Models, mean")),
            *map(ReportColumn, ("Best human", "Best model")),
        ),
        rows=rows if factors.keys else (),
    )


def _factor_row(
    cells: AccuracyIndex, subset: str, dataset: str
) -> tuple[str | ReportCell, ...] | None:
    study, metric = cells.numbers.study, cells.main_metric
    groups = [
        [
            row
            for code in codes
            if (row := cells.accuracy.get((code, dataset, subset, metric))) is not None
        ]
        for codes in (study.humans, study.models)
    ]
    found = [row for group in groups for row in group]
    if not found:
        return None
    trace = cells.cell_sources.accuracies
    means = [
        ReportCell(
            format_percent(sum(row.accuracy for row in group) / len(group)) if group else "",
            trace(*group) if group else None,
        )
        for group in groups
    ]
    best = [
        accuracy_cell(cells, _of_best(cells, group, dataset, metric)) if group else ""
        for group in groups
    ]
    images = ReportCell(f"{max(row.total for row in found):,}", trace(*found))
    return cells.titles[subset], dataset, images, *means, *best


def _of_best(
    cells: AccuracyIndex, group: Sequence[Accuracy], dataset: str, metric: Metric
) -> Accuracy:
    """Return the row of the participant who is best on all images, so that rows compare."""

    def on_all_images(row: Accuracy) -> float:
        everything = cells.accuracy.get((row.participant, dataset, ALL, metric))
        return 0.0 if everything is None else everything.accuracy

    return max(group, key=on_all_images)
