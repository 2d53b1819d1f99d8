"""The tables of a report, in the form of the papers."""

from collections.abc import Iterator

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.vocabulary import Convention, Metric, Together
from labeler.report import statistics_tables
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

_INTERVALS = "Percent, with exact 95 % Clopper–Pearson intervals."
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


def tables(cells: Cells) -> list[Table]:
    """All that have a row, in the order of a paper."""
    made = [_datasets(cells), *_compared(cells), *_subsets(cells), *_superclasses(cells)]
    made += [*_named(cells), _models(cells), _hatches(cells), _conventions(cells)]
    made += [
        *statistics_tables.mcnemar(cells),
        statistics_tables.resampling(cells),
        statistics_tables.fits(cells),
        statistics_tables.times(cells),
    ]
    made += [
        statistics_tables.agreement(cells),
        statistics_tables.consistency(cells),
        _all_images(cells),
        statistics_tables.coverage(cells),
    ]
    return [table for table in made if table.rows]


def _datasets(cells: Cells) -> Table:
    columns = ("Images", "Base", "Evaluated", "Problematic", "No correct label", "Unjudged")
    several = ("Multi-label images", "Labels each")
    return Table(
        key="datasets",
        title="Datasets",
        note="Problematic images and those judged with no label correct are in no accuracy; "
        "unjudged ones are left out of the multi-label metrics only.",
        columns=(text_column("Dataset"), *map(Column, columns + several)),
        rows=tuple(
            (
                tally.dataset,
                *(
                    f"{count:,}"
                    for count in (
                        tally.images,
                        tally.base,
                        tally.evaluated,
                        tally.problematic,
                        tally.without_correct_label,
                        tally.unjudged,
                        tally.multi_label_images,
                    )
                ),
                NONE
                if tally.mean_labels_of_multi_label_images is None
                else f"{tally.mean_labels_of_multi_label_images:.2f}",
            )
            for tally in cells.numbers.datasets
        ),
    )


def _compared(cells: Cells) -> Iterator[Table]:
    """Participants × (original, new, gap), one table a metric."""
    for metric in Metric:
        columns = [text_column("Participant"), *map(Column, cells.datasets)]
        pair = cells.pair
        rows = []
        for code in _people_then_models(cells, metric):
            found = [cells.accuracy.get((code, d, ALL, metric)) for d in cells.datasets]
            gap = cells.gaps.get((code, ALL, metric))
            rows.append(
                (
                    cells.called(code),
                    *(
                        NONE if r is None else with_interval(r.accuracy, r.ci_low, r.ci_high)
                        for r in found
                    ),
                    *([NONE if gap is None else signed(gap.gap)] if pair else []),
                )
            )
        rows += list(_together(cells, metric, pair is not None))
        if pair:
            columns.append(Column("Gap"))
        yield Table(
            key=f"accuracy-{metric.replace('_', '-')}",
            title=f"{METRIC_TITLES[metric]} accuracy of humans and models",
            note=f"{_INTERVALS} Gap: original minus new.",
            columns=tuple(columns),
            rows=tuple(rows),
        )


def _together(cells: Cells, metric: Metric, gaps: bool) -> Iterator[tuple[str, ...]]:
    """The humans taken together, below everybody."""
    for who in Together:
        found = [cells.together.get((str(who), d, ALL, metric)) for d in cells.datasets]
        if any(found):
            told = [
                NONE
                if r is None
                else percent(r.accuracy)
                if r.ci_low is None or r.ci_high is None
                else with_interval(r.accuracy, r.ci_low, r.ci_high)
                for r in found
            ]
            yield (
                str(who).capitalize(),
                *told,
                *([_gap_together(cells, who, metric)] if gaps else []),
            )


def _gap_together(cells: Cells, who: Together, metric: Metric) -> str:
    pair = cells.pair or ("", "")
    first, second = (cells.together.get((str(who), d, ALL, metric)) for d in pair)
    return NONE if first is None or second is None else signed(first.accuracy - second.accuracy)


def _subsets(cells: Cells) -> Iterator[Table]:
    """Subsets side by side, dataset by dataset within each."""
    for key, title, subsets in _SIDE_BY_SIDE:
        yield _side_by_side(cells, key, title, subsets)


def _named(cells: Cells) -> Iterator[Table]:
    subtrees = tuple(s.key for s in cells.numbers.subsets if s.key.startswith("subtree:"))
    if subtrees:
        yield _side_by_side(cells, "subsets-named", "Subsets that were asked for", subtrees)


def _side_by_side(cells: Cells, key: str, title: str, subsets: tuple[str, ...]) -> Table:
    metric = cells.main_metric
    places = [(s, d) for s in subsets if s in cells.titles for d in cells.datasets]
    used = [
        p for p in places if any((c, p[1], p[0], metric) in cells.accuracy for c in _all(cells))
    ]
    rows = []
    for code in _people_then_models(cells, metric):
        found = [cells.accuracy.get((code, d, s, metric)) for s, d in used]
        told = [
            NONE if r is None else with_interval(r.accuracy, r.ci_low, r.ci_high) for r in found
        ]
        if any(found):
            rows.append((cells.called(code), *told))
    return Table(
        key=key,
        title=f"{title}: {METRIC_TITLES[metric].lower()} accuracy",
        note=_INTERVALS,
        columns=(
            text_column("Participant"),
            *(Column(f"{cells.titles[s]}, {d}") for s, d in used),
        ),
        rows=tuple(rows),
    )


def _superclasses(cells: Cells) -> Iterator[Table]:
    """One table a dataset, with the superclasses that it has in columns."""
    metric = cells.main_metric
    every = [subset for subset in cells.numbers.subsets if subset.is_superclass]
    codes = _people_then_models(cells, metric)
    for number, dataset in enumerate(cells.datasets, start=1):
        found = {
            (code, subset.key): cells.accuracy.get((code, dataset, subset.key, metric))
            for code in codes
            for subset in every
        }
        used = [s for s in every if any(found[code, s.key] is not None for code in codes)]
        yield Table(
            key=f"superclasses-{number}",
            title=f"Superclasses on {dataset}: {METRIC_TITLES[metric].lower()} accuracy",
            note="Percent, and of how many images.",
            columns=(text_column("Participant"), *(Column(subset.title) for subset in used)),
            rows=tuple(
                (cells.called(code), *(_of_how_many(found[code, s.key]) for s in used))
                for code in codes
                if used and any(found[code, s.key] is not None for s in used)
            ),
        )


def _of_how_many(row: Accuracy | None) -> str:
    return NONE if row is None else f"{percent(row.accuracy)} ({row.total})"


def _models(cells: Cells) -> Table:
    metric = cells.main_metric
    rows = [
        (
            cells.called(gap.participant),
            str(gap.rank_original),
            str(gap.rank_new),
            f"{gap.rank_change:+d}".replace("-", "−") if gap.rank_change else "0",
            percent(gap.original),
            percent(gap.new),
            signed(gap.gap),
        )
        for gap in cells.numbers.gaps
        if (gap.subset, gap.metric) == (ALL, metric) and gap.kind == "model"
    ]
    return Table(
        key="models",
        title=f"Models by rank: {METRIC_TITLES[metric].lower()} accuracy",
        note="Ranks are among the models; equal accuracies share the lowest rank.",
        columns=(
            text_column("Model"),
            *map(Column, ("Rank, original", "Rank, new", "Change", "Original", "New", "Gap")),
        ),
        rows=tuple(sorted(rows, key=lambda row: int(row[1]))),
    )


def _hatches(cells: Cells) -> Table:
    return Table(
        key="escape-hatches",
        title="Escape hatches",
        note="Multi-label accuracy in percent, as given and with the alternative in its place.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(Column, ("Used", "Accuracy", "Imputed")),
        ),
        rows=tuple(
            (
                cells.called(row.participant),
                row.dataset,
                str(row.used),
                percent(row.accuracy),
                percent(row.accuracy_imputed),
            )
            for row in cells.numbers.escape_hatches
        ),
    )


def _conventions(cells: Cells) -> Table:
    """Every way of counting, where they differ."""
    metric = cells.main_metric
    rows = []
    for code in _people_then_models(cells, metric):
        for dataset in cells.datasets:
            own = cells.accuracy.get((code, dataset, ALL, metric))
            found = [
                cells.other.get((code, dataset, ALL, metric, c))
                for c in Convention
                if c is not Convention.POOLED
            ]
            told = [
                NONE if r is None else with_interval(r.accuracy, r.ci_low, r.ci_high) for r in found
            ]
            if own is not None and any(r and abs(r.accuracy - own.accuracy) > 1e-12 for r in found):
                first = with_interval(own.accuracy, own.ci_low, own.ci_high)
                rows.append((cells.called(code), dataset, first, *told))
    titles = ("Pooled", "Unclear counts", "Per class", "Per class, unclear counts")
    return Table(
        key="conventions",
        title=f"Ways of counting: {METRIC_TITLES[metric].lower()} accuracy",
        note="Percent, where they differ. Averages per class have bootstrap intervals.",
        columns=(text_column("Participant"), text_column("Dataset"), *map(Column, titles)),
        rows=tuple(rows),
    )


def _all_images(cells: Cells) -> Table:
    rows = [row for row in cells.numbers.accuracy_all_images if row.subset == ALL]
    return Table(
        key="models-all-images",
        title="Models on all images of each dataset",
        note=_INTERVALS,
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
                with_interval(row.accuracy, row.ci_low, row.ci_high),
            )
            for row in rows
        ),
    )


def _all(cells: Cells) -> tuple[str, ...]:
    return cells.numbers.study.participants


def _people_then_models(cells: Cells, metric: Metric) -> list[str]:
    study = cells.numbers.study
    return cells.ordered(study.humans, metric) + cells.ordered(study.models, metric)
