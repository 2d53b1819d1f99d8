"""The tables of accuracies: participants in rows, the best first, humans before models."""

from collections.abc import Iterator
from dataclasses import replace

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.cell_source import Behind
from labeler.core.metrics.definitions import Convention, Metric, Together
from labeler.core.metrics.human_aggregates import HumansTogether
from labeler.core.metrics.subsets import ALL
from labeler.report.accuracy_index import METRIC_TITLES, Cells
from labeler.report.table import (
    NONE,
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

INTERVALS = "Percent, with exact 95 % Clopper–Pearson intervals."


def compared(cells: Cells) -> Iterator[Table]:
    """Participants × (original, new, gap), one table a metric."""
    gaps = cells.pair is not None
    for metric in Metric:
        rows = [_compared_row(cells, code, metric) for code in people_then_models(cells, metric)]
        rows += list(_together(cells, metric, gaps))
        yield traced_table(
            key=f"accuracy-{metric.replace('_', '-')}",
            title=f"{METRIC_TITLES[metric]} accuracy of humans and models",
            note=f"{INTERVALS} Gap: original minus new.",
            columns=(
                text_column("Participant"),
                *map(Column, cells.datasets),
                *([Column("Gap")] if gaps else []),
            ),
            rows=rows,
        )


def _compared_row(cells: Cells, code: str, metric: Metric) -> list[str | Cell]:
    found = {d: cells.accuracy.get((code, d, ALL, metric)) for d in cells.datasets}
    row: list[str | Cell] = [cells.called(code), *(traced(cells, one) for one in found.values())]
    if cells.pair is None:
        return row
    gap, both = cells.gaps.get((code, ALL, metric)), (found[d] for d in cells.pair)
    text = NONE if gap is None else signed(gap.gap)
    return [*row, Cell(text, cells.tracing.accuracies(*both))]


def traced(cells: Cells, row: Accuracy | None) -> Cell:
    """An accuracy that leads to the images that it counts."""
    return Cell(told(row), cells.tracing.accuracies(row))


def told(row: Accuracy | HumansTogether | None) -> str:
    """An accuracy with its interval, where it has one."""
    if row is None:
        return NONE
    if row.ci_low is None or row.ci_high is None:
        return percent(row.accuracy)
    return with_interval(row.accuracy, row.ci_low, row.ci_high)


def _together(cells: Cells, metric: Metric, gaps: bool) -> Iterator[list[str | Cell]]:
    """The humans taken together, below everybody; each row leads to all that they answered."""
    for who in Together:
        found = [cells.together.get((str(who), d, ALL, metric)) for d in cells.datasets]
        if any(found):
            row = [
                Cell(told(one), _humans(cells, who, (dataset,), metric))
                for one, dataset in zip(found, cells.datasets, strict=True)
            ]
            if gaps:
                text = _gap_together(cells, who, metric)
                row.append(Cell(text, _humans(cells, who, cells.pair or (), metric)))
            yield [str(who).capitalize(), *row]


def _humans(
    cells: Cells, who: Together, datasets: tuple[str, ...], metric: Metric
) -> Behind | None:
    humans = cells.numbers.study.humans
    return cells.tracing.several(str(who).capitalize(), humans, datasets=datasets, metric=metric)


def _gap_together(cells: Cells, who: Together, metric: Metric) -> str:
    pair = cells.pair or ("", "")
    first, second = (cells.together.get((str(who), d, ALL, metric)) for d in pair)
    return NONE if first is None or second is None else signed(first.accuracy - second.accuracy)


def conventions(cells: Cells) -> Table:
    """Every way of counting, where they differ."""
    metric = cells.main_metric
    rows: list[tuple[str | Cell, ...]] = []
    for code in people_then_models(cells, metric):
        for dataset in cells.datasets:
            own = cells.accuracy.get((code, dataset, ALL, metric))
            found = [
                cells.other.get((code, dataset, ALL, metric, c))
                for c in Convention
                if c is not Convention.POOLED
            ]
            if own is not None and any(r and abs(r.accuracy - own.accuracy) > 1e-12 for r in found):
                told_all = (traced(cells, row) for row in (own, *found))
                rows.append((cells.called(code), dataset, *told_all))
    titles = ("Pooled", "Unclear counts", "Per class", "Per class, unclear counts")
    return traced_table(
        key="conventions",
        title=f"Ways of counting: {METRIC_TITLES[metric].lower()} accuracy",
        note="Percent, where they differ. Averages per class have bootstrap intervals.",
        columns=(text_column("Participant"), text_column("Dataset"), *map(Column, titles)),
        rows=rows,
    )


def differences(cells: Cells) -> Table:
    """Multi-label against top-1 and top-5, at the median over the models."""
    models = cells.numbers.study.models
    return traced_table(
        key="metric-differences",
        title="Multi-label accuracy against top-1 and top-5",
        note="Median over the models of the multi-label accuracy minus the other, in percentage "
        "points, on the judged images.",
        columns=(
            *map(text_column, ("Dataset", "Against")),
            *map(Column, ("Models", "Median difference")),
        ),
        rows=(
            (
                row.dataset,
                METRIC_TITLES[row.against],
                *all_from(
                    cells.tracing.several(
                        "The models", models, datasets=(row.dataset,), metric=row.metric
                    ),
                    f"{row.models:,}",
                    signed(row.median_difference),
                ),
            )
            for row in cells.numbers.differences
        ),
    )


def all_images(cells: Cells) -> Table:
    rows = [row for row in cells.numbers.accuracy_all_images if row.subset == ALL]
    return traced_table(
        key="models-all-images",
        title="Models on all images of each dataset",
        note=INTERVALS,
        columns=(
            *map(text_column, ("Model", "Dataset", "Metric")),
            *map(Column, ("n", "Accuracy")),
        ),
        rows=(
            (
                cells.called(row.participant),
                row.dataset,
                METRIC_TITLES[row.metric],
                *all_from(_on_everything(cells, row), f"{row.total:,}", told(row)),
            )
            for row in rows
        ),
    )


def _on_everything(cells: Cells, row: Accuracy) -> Behind | None:
    behind = cells.tracing.accuracies(row)
    return behind and replace(behind, everything=True)


def people_then_models(cells: Cells, metric: Metric) -> list[str]:
    study = cells.numbers.study
    return cells.ordered(study.humans, metric) + cells.ordered(study.models, metric)
