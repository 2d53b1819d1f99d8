"""Tables of accuracies: participants in rows, humans before models, best first."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.cell_source import EvaluationSource
from labeler.core.metrics.definitions import Convention, HumanAggregate, Metric
from labeler.core.metrics.human_aggregates import HumanAggregateAccuracy
from labeler.core.metrics.subsets import ALL
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    cells_with_source,
    format_percent,
    format_signed,
    format_signed_interval,
    format_with_interval,
    table_with_sources,
    text_column,
)

INTERVALS_NOTE = "Percent, with exact 95 % Clopper–Pearson intervals."
# A percentage of fewer images would look more exact than it is.
FEW_IMAGES = 10
SUPERCLASS_NOTE = (
    f"Percent, with the number of images; counts where there are fewer than {FEW_IMAGES}."
)
GAP_NOTE = "Gap: original minus new, in percentage points, with a 95 % bootstrap interval."


def comparison_tables(cells: AccuracyIndex) -> Iterator[ReportTable]:
    """Yield participants × (original, new, gap), one table per metric."""
    gaps = cells.pair is not None
    for metric in Metric:
        rows = [_compared_row(cells, code, metric) for code in people_then_models(cells, metric)]
        rows += list(_together(cells, metric, gaps))
        yield table_with_sources(
            key=f"accuracy-{metric.replace('_', '-')}",
            title=f"{METRIC_TITLES[metric]} accuracy of humans and models",
            note=f"{INTERVALS_NOTE} {GAP_NOTE}" if gaps else INTERVALS_NOTE,
            columns=(
                text_column("Participant"),
                *map(ReportColumn, cells.datasets),
                *([ReportColumn("Gap")] if gaps else []),
            ),
            rows=rows,
        )


def _compared_row(cells: AccuracyIndex, code: str, metric: Metric) -> list[str | ReportCell]:
    found = {d: cells.accuracy.get((code, d, ALL, metric)) for d in cells.datasets}
    row: list[str | ReportCell] = [
        cells.display_name(code),
        *(accuracy_cell(cells, accuracy) for accuracy in found.values()),
    ]
    if cells.pair is None:
        return row
    gap, both = cells.gap_intervals.get((code, ALL, metric)), (found[d] for d in cells.pair)
    text = NO_VALUE if gap is None else format_signed_interval(gap.gap, gap.ci_low, gap.ci_high)
    return [*row, ReportCell(text, cells.cell_sources.accuracies(*both))]


def accuracy_cell(cells: AccuracyIndex, row: Accuracy | None) -> ReportCell:
    """Return a cell with an accuracy and the images that it counts."""
    exact = "" if row is None else exact_accuracy(row)
    return ReportCell(accuracy_text(row), cells.cell_sources.accuracies(row), exact)


def exact_accuracy(row: Accuracy) -> str:
    """Return the counts and the interval with more decimals, for a tooltip."""
    return (
        f"{row.correct:,} of {row.total:,}: {100 * row.accuracy:.3f} %, "
        f"95 % interval {100 * row.ci_low:.3f} to {100 * row.ci_high:.3f}"
    )


def accuracy_text(row: Accuracy | HumanAggregateAccuracy | None) -> str:
    """Format an accuracy with its interval, if it has one."""
    if row is None:
        return NO_VALUE
    if row.ci_low is None or row.ci_high is None:
        return format_percent(row.accuracy)
    return format_with_interval(row.accuracy, row.ci_low, row.ci_high)


def _together(cells: AccuracyIndex, metric: Metric, gaps: bool) -> Iterator[list[str | ReportCell]]:
    """Yield the rows of human aggregates below all participants."""
    for aggregate in HumanAggregate:
        found = [cells.together.get((str(aggregate), d, ALL, metric)) for d in cells.datasets]
        if any(found):
            row = [
                ReportCell(accuracy_text(accuracy), _humans(cells, aggregate, (dataset,), metric))
                for accuracy, dataset in zip(found, cells.datasets, strict=True)
            ]
            if gaps:
                text = _gap_together(cells, aggregate, metric)
                row.append(ReportCell(text, _humans(cells, aggregate, cells.pair or (), metric)))
            yield [str(aggregate).capitalize(), *row]


def _humans(
    cells: AccuracyIndex, aggregate: HumanAggregate, datasets: tuple[str, ...], metric: Metric
) -> EvaluationSource | None:
    humans = cells.numbers.study.humans
    return cells.cell_sources.several(
        str(aggregate).capitalize(), humans, datasets=datasets, metric=metric
    )


def _gap_together(cells: AccuracyIndex, aggregate: HumanAggregate, metric: Metric) -> str:
    pair = cells.pair or ("", "")
    first, second = (cells.together.get((str(aggregate), d, ALL, metric)) for d in pair)
    return (
        NO_VALUE
        if first is None or second is None
        else format_signed(first.accuracy - second.accuracy)
    )


def conventions_table(cells: AccuracyIndex) -> ReportTable:
    """Compare the counting conventions where they differ."""
    metric = cells.main_metric
    rows: list[tuple[str | ReportCell, ...]] = []
    for code in people_then_models(cells, metric):
        for dataset in cells.datasets:
            own = cells.accuracy.get((code, dataset, ALL, metric))
            found = [
                cells.other.get((code, dataset, ALL, metric, c))
                for c in Convention
                if c is not Convention.POOLED
            ]
            if own is not None and any(r and abs(r.accuracy - own.accuracy) > 1e-12 for r in found):
                cells_of_all = (accuracy_cell(cells, row) for row in (own, *found))
                rows.append((cells.display_name(code), dataset, *cells_of_all))
    titles = ("Pooled", "Unclear counts", "Per class", "Per class, unclear counts")
    return table_with_sources(
        key="conventions",
        title=f"Counting conventions: {METRIC_TITLES[metric].lower()} accuracy",
        note="Percent, where they differ. Averages per class have bootstrap intervals.",
        columns=(text_column("Participant"), text_column("Dataset"), *map(ReportColumn, titles)),
        rows=rows,
    )


def differences_table(cells: AccuracyIndex) -> ReportTable:
    """Compare multi-label accuracy with top-1 and top-5: the median over the models."""
    models = cells.numbers.study.models
    return table_with_sources(
        key="metric-differences",
        title="Multi-label accuracy against top-1 and top-5",
        note="Median over the models of the multi-label accuracy minus the other, in percentage "
        "points, on the judged images.",
        columns=(
            *map(text_column, ("Dataset", "Against")),
            *map(ReportColumn, ("Models", "Median difference")),
        ),
        rows=(
            (
                row.dataset,
                METRIC_TITLES[row.against],
                *cells_with_source(
                    cells.cell_sources.several(
                        "The models", models, datasets=(row.dataset,), metric=row.metric
                    ),
                    f"{row.models:,}",
                    format_signed(row.median_difference),
                ),
            )
            for row in cells.numbers.differences
        ),
    )


def all_images_table(cells: AccuracyIndex) -> ReportTable:
    """Return the accuracies on more images than the evaluated ones; others would be repeated."""
    rows = [
        row
        for row in cells.numbers.accuracy_all_images
        if row.subset == ALL and row.total != _evaluated(cells, row)
    ]
    return table_with_sources(
        key="models-all-images",
        title="Models on all images of each dataset",
        note=INTERVALS_NOTE,
        columns=(
            *map(text_column, ("Model", "Dataset", "Metric")),
            *map(ReportColumn, ("n", "Accuracy")),
        ),
        rows=(
            (
                cells.display_name(row.participant),
                row.dataset,
                METRIC_TITLES[row.metric],
                *cells_with_source(
                    _on_everything(cells, row), f"{row.total:,}", accuracy_text(row)
                ),
            )
            for row in rows
        ),
    )


def _evaluated(cells: AccuracyIndex, row: Accuracy) -> int:
    found = cells.accuracy.get((row.participant, row.dataset, row.subset, row.metric))
    return 0 if found is None else found.total


def _on_everything(cells: AccuracyIndex, row: Accuracy) -> EvaluationSource | None:
    source = cells.cell_sources.accuracies(row)
    return source and replace(source, everything=True)


def people_then_models(cells: AccuracyIndex, metric: Metric) -> list[str]:
    study = cells.numbers.study
    return cells.ordered(study.humans, metric) + cells.ordered(study.models, metric)


_SIDE_BY_SIDE = {
    "subsets-main": (ALL, "without_dogs", "objects", "fast"),
    "subsets-classes": ("dogs", "animals_without_dogs", "organisms", "objects"),
    "subsets-images": ("single_label", "multi_label"),
    "subsets-problematic": (ALL, "problematic"),
}


def side_by_side_tables(cells: AccuracyIndex) -> Iterator[ReportTable]:
    """Yield subsets side by side, with all datasets of each, by the main metric and by top-1."""
    for metric in dict.fromkeys((cells.main_metric, Metric.TOP1)):
        for key, subsets in _SIDE_BY_SIDE.items():
            others = [subset for subset in (ALL,) if subset not in subsets]
            ending = "" if metric is cells.main_metric else "-top1"
            table = _side_by_side(cells, f"{key}{ending}", subsets, metric, besides=others)
            # A single subset is compared with nothing; all images are in the first tables.
            if ALL not in subsets or len(table.columns) > 1 + len(cells.datasets):
                yield table


def named_subsets_table(cells: AccuracyIndex) -> Iterator[ReportTable]:
    subtrees = tuple(s.key for s in cells.numbers.subsets if s.key.startswith("subtree:"))
    if subtrees:
        yield _side_by_side(cells, "subsets-named", subtrees, cells.main_metric)


def _side_by_side(
    cells: AccuracyIndex,
    key: str,
    subsets: tuple[str, ...],
    metric: Metric,
    *,
    besides: Iterable[str] = (),
) -> ReportTable:
    shown = cells.shown_subsets((s for s in subsets if s in cells.titles), besides=besides)
    columns = [(s, d) for s in shown.keys for d in cells.datasets]
    used = [
        p
        for p in columns
        if any((c, p[1], p[0], metric) in cells.accuracy for c in cells.numbers.study.participants)
    ]
    rows: list[tuple[str | ReportCell, ...]] = []
    for code in people_then_models(cells, metric):
        found = [cells.accuracy.get((code, d, s, metric)) for s, d in used]
        if any(found):
            rows.append((cells.display_name(code), *(accuracy_cell(cells, row) for row in found)))
    return table_with_sources(
        key=key,
        title=f"{_listed(cells, shown.keys)}: {METRIC_TITLES[metric].lower()} accuracy",
        note=" ".join(filter(None, (INTERVALS_NOTE, shown.sentence))),
        columns=(
            text_column("Participant"),
            *(ReportColumn(f"{cells.titles[s]}, {d}") for s, d in used),
        ),
        rows=rows,
    )


def _listed(cells: AccuracyIndex, keys: tuple[str, ...]) -> str:
    """Return the titles of the subsets as one phrase."""
    titles = [cells.titles[key] for key in keys]
    first, *others = titles or [""]
    return ", ".join((first, *(title.lower() for title in others)))


def superclass_tables(cells: AccuracyIndex) -> Iterator[ReportTable]:
    """Yield one table per dataset, with its superclasses in columns."""
    metric = cells.main_metric
    every = [subset for subset in cells.numbers.subsets if subset.is_superclass]
    left_out = cells.shown_subsets(subset.key for subset in every).sentence
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
            note=" ".join(filter(None, (SUPERCLASS_NOTE, left_out))),
            columns=(text_column("Participant"), *(ReportColumn(subset.title) for subset in used)),
            rows=(
                (cells.display_name(code), *(_of_how_many(cells, found[code, s.key]) for s in used))
                for code in codes
                if used and any(found[code, s.key] is not None for s in used)
            ),
        )


def _of_how_many(cells: AccuracyIndex, row: Accuracy | None) -> ReportCell:
    return ReportCell(share_of_images(row), cells.cell_sources.accuracies(row))


def share_of_images(row: Accuracy | None) -> str:
    """Format a share with its number of images; few images give no percentage."""
    if row is None:
        return NO_VALUE
    if row.total < FEW_IMAGES:
        return f"{row.correct} of {row.total}"
    return f"{format_percent(row.accuracy)} ({row.total:,})"
