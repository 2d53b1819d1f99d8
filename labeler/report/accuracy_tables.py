"""The tables of accuracies: participants in rows, the best first, humans before models."""

from collections.abc import Iterator

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.together import HumansTogether
from labeler.core.metrics.vocabulary import Convention, Metric, Together
from labeler.report.cells import METRIC_TITLES, Cells
from labeler.report.table import (
    NONE,
    Column,
    Table,
    percent,
    signed,
    text_column,
    with_interval,
)

INTERVALS = "Percent, with exact 95 % Clopper–Pearson intervals."


def compared(cells: Cells) -> Iterator[Table]:
    """Participants × (original, new, gap), one table a metric."""
    gaps = cells.pair is not None
    for metric in Metric:
        rows = [_compared_row(cells, code, metric) for code in people_then_models(cells, metric)]
        rows += list(_together(cells, metric, gaps))
        yield Table(
            key=f"accuracy-{metric.replace('_', '-')}",
            title=f"{METRIC_TITLES[metric]} accuracy of humans and models",
            note=f"{INTERVALS} Gap: original minus new.",
            columns=(
                text_column("Participant"),
                *map(Column, cells.datasets),
                *([Column("Gap")] if gaps else []),
            ),
            rows=tuple(rows),
        )


def _compared_row(cells: Cells, code: str, metric: Metric) -> tuple[str, ...]:
    found = [cells.accuracy.get((code, dataset, ALL, metric)) for dataset in cells.datasets]
    row = (cells.called(code), *map(told, found))
    if cells.pair is None:
        return row
    gap = cells.gaps.get((code, ALL, metric))
    return (*row, NONE if gap is None else signed(gap.gap))


def told(row: Accuracy | HumansTogether | None) -> str:
    """An accuracy with its interval, where it has one."""
    if row is None:
        return NONE
    if row.ci_low is None or row.ci_high is None:
        return percent(row.accuracy)
    return with_interval(row.accuracy, row.ci_low, row.ci_high)


def _together(cells: Cells, metric: Metric, gaps: bool) -> Iterator[tuple[str, ...]]:
    """The humans taken together, below everybody."""
    for who in Together:
        found = [cells.together.get((str(who), d, ALL, metric)) for d in cells.datasets]
        if any(found):
            yield (
                str(who).capitalize(),
                *map(told, found),
                *([_gap_together(cells, who, metric)] if gaps else []),
            )


def _gap_together(cells: Cells, who: Together, metric: Metric) -> str:
    pair = cells.pair or ("", "")
    first, second = (cells.together.get((str(who), d, ALL, metric)) for d in pair)
    return NONE if first is None or second is None else signed(first.accuracy - second.accuracy)


def conventions(cells: Cells) -> Table:
    """Every way of counting, where they differ."""
    metric = cells.main_metric
    rows = []
    for code in people_then_models(cells, metric):
        for dataset in cells.datasets:
            own = cells.accuracy.get((code, dataset, ALL, metric))
            found = [
                cells.other.get((code, dataset, ALL, metric, c))
                for c in Convention
                if c is not Convention.POOLED
            ]
            if own is not None and any(r and abs(r.accuracy - own.accuracy) > 1e-12 for r in found):
                rows.append((cells.called(code), dataset, told(own), *map(told, found)))
    titles = ("Pooled", "Unclear counts", "Per class", "Per class, unclear counts")
    return Table(
        key="conventions",
        title=f"Ways of counting: {METRIC_TITLES[metric].lower()} accuracy",
        note="Percent, where they differ. Averages per class have bootstrap intervals.",
        columns=(text_column("Participant"), text_column("Dataset"), *map(Column, titles)),
        rows=tuple(rows),
    )


def all_images(cells: Cells) -> Table:
    rows = [row for row in cells.numbers.accuracy_all_images if row.subset == ALL]
    return Table(
        key="models-all-images",
        title="Models on all images of each dataset",
        note=INTERVALS,
        columns=(
            *map(text_column, ("Model", "Dataset", "Metric")),
            *map(Column, ("n", "Accuracy")),
        ),
        rows=tuple(
            (
                cells.called(row.participant),
                row.dataset,
                METRIC_TITLES[row.metric],
                f"{row.total:,}",
                told(row),
            )
            for row in rows
        ),
    )


def people_then_models(cells: Cells, metric: Metric) -> list[str]:
    study = cells.numbers.study
    return cells.ordered(study.humans, metric) + cells.ordered(study.models, metric)
