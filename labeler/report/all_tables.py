"""The tables of a report, in the form of the papers."""

from labeler.core.metrics.cell_source import Behind
from labeler.core.metrics.conditions import SeenBefore
from labeler.core.metrics.exposure_accuracy import ExposureAccuracy
from labeler.core.metrics.gaps import Gap
from labeler.core.metrics.subsets import ALL
from labeler.report import accuracy_tables, count_tables, statistics_tables, subset_tables
from labeler.report.accuracy_index import METRIC_TITLES, Cells
from labeler.report.table import (
    Cell,
    Column,
    Table,
    all_from,
    percent,
    signed,
    text_column,
    traced_table,
    with_interval,
)


def tables(cells: Cells) -> list[Table]:
    """All that have a row, in the order of a paper."""
    made = [
        count_tables.datasets(cells),
        *accuracy_tables.compared(cells),
        *subset_tables.side_by_side(cells),
        *subset_tables.superclasses(cells),
        *subset_tables.named(cells),
        _models(cells),
        count_tables.hatches(cells),
        _exposures(cells),
        count_tables.unjudged(cells),
        accuracy_tables.conventions(cells),
        accuracy_tables.differences(cells),
        *statistics_tables.mcnemar(cells),
        statistics_tables.resampling(cells),
        statistics_tables.fits(cells),
        statistics_tables.times(cells),
        statistics_tables.agreement(cells),
        statistics_tables.consistency(cells),
        count_tables.label_changes(cells),
        accuracy_tables.all_images(cells),
        statistics_tables.coverage(cells),
    ]
    return [table for table in made if table.rows]


def _models(cells: Cells) -> Table:
    metric = cells.main_metric
    rows = [
        _model_row(cells, gap)
        for gap in sorted(cells.numbers.gaps, key=lambda gap: gap.rank_original)
        if (gap.subset, gap.metric) == (ALL, metric) and gap.kind == "model"
    ]
    return traced_table(
        key="models",
        title=f"Models by rank: {METRIC_TITLES[metric].lower()} accuracy",
        note="Ranks are among the models; equal accuracies share the lowest rank.",
        columns=(
            text_column("Model"),
            *map(Column, ("Rank, original", "Rank, new", "Change", "Original", "New", "Gap")),
        ),
        rows=rows,
    )


def _model_row(cells: Cells, gap: Gap) -> tuple[str | Cell, ...]:
    original, new = (
        cells.accuracy.get((gap.participant, dataset, gap.subset, gap.metric))
        for dataset in (gap.dataset_original, gap.dataset_new)
    )
    trace = cells.tracing.accuracies
    change = f"{gap.rank_change:+d}".replace("-", "−") if gap.rank_change else "0"
    return (
        cells.called(gap.participant),
        Cell(str(gap.rank_original), trace(original)),
        Cell(str(gap.rank_new), trace(new)),
        Cell(change, trace(original, new)),
        Cell(percent(gap.original), trace(original)),
        Cell(percent(gap.new), trace(new)),
        Cell(signed(gap.gap), trace(original, new)),
    )


def _exposures(cells: Cells) -> Table:
    return traced_table(
        key="earlier-exposure",
        title="Accuracy by earlier exposure",
        note="Images that the person had trained on, reviewed or declared to know before the "
        "evaluation was locked, and the others; with exact 95 % Clopper–Pearson intervals.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            text_column("Metric"),
            text_column("Seen before"),
            *map(Column, ("Images", "Accuracy")),
        ),
        rows=(
            (
                cells.called(row.participant),
                row.dataset,
                METRIC_TITLES[row.metric],
                "yes" if row.seen_before else "no",
                *all_from(
                    _exposed(cells, row),
                    f"{row.total:,}",
                    with_interval(row.accuracy, row.ci_low, row.ci_high),
                ),
            )
            for row in cells.numbers.by_exposure
        ),
    )


def _exposed(cells: Cells, row: ExposureAccuracy) -> Behind | None:
    key = row.participant, row.dataset, ALL, row.metric
    behind = cells.tracing.accuracies(cells.accuracy.get(key))
    words = "seen before" if row.seen_before else "not seen before"
    return behind and behind.also(
        f"{behind.words}, {words}", SeenBefore(row.participant, row.seen_before)
    )
