"""The tables of a report, in the form of the papers."""

from collections.abc import Iterator

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.vocabulary import Convention, Metric, Together
from labeler.report.cells import METRIC_TITLES, Cells
from labeler.report.table import (
    Column,
    Table,
    p_text,
    percent,
    signed,
    text_column,
    with_interval,
)

_NONE = "–"
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
    made += [*_mcnemar(cells), _resampling(cells), _fits(cells), _times(cells)]
    made += [_agreement(cells), _consistency(cells), _all_images(cells), _coverage(cells)]
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
                _NONE
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
                        _NONE if r is None else with_interval(r.accuracy, r.ci_low, r.ci_high)
                        for r in found
                    ),
                    *([_NONE if gap is None else signed(gap.gap)] if pair else []),
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
                _NONE
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
    return _NONE if first is None or second is None else signed(first.accuracy - second.accuracy)


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
            _NONE if r is None else with_interval(r.accuracy, r.ci_low, r.ci_high) for r in found
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
    return _NONE if row is None else f"{percent(row.accuracy)} ({row.total})"


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
                _NONE if r is None else with_interval(r.accuracy, r.ci_low, r.ci_high)
                for r in found
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


def _mcnemar(cells: Cells) -> Iterator[Table]:
    """Everybody against each human; models among themselves are in report.json."""
    metric, humans = cells.main_metric, set(cells.numbers.study.humans)
    for number, dataset in enumerate(cells.datasets, start=1):
        yield Table(
            key=f"mcnemar-{number}",
            title=f"McNemar’s test on {dataset}, {METRIC_TITLES[metric].lower()}",
            note="Exact and two-sided, on the images both answered; pairs with a human.",
            columns=(
                text_column("A"),
                text_column("B"),
                *map(Column, ("Images", "Only A correct", "Only B correct", "p")),
            ),
            rows=tuple(
                (
                    cells.called(row.a),
                    cells.called(row.b),
                    f"{row.images:,}",
                    str(row.only_a_correct),
                    str(row.only_b_correct),
                    p_text(row.p_value),
                )
                for row in cells.numbers.mcnemar
                if (row.dataset, row.metric, row.subset) == (dataset, metric, ALL)
                and row.a in humans
            ),
        )


def _resampling(cells: Cells) -> Table:
    metric = cells.main_metric
    shown = (*cells.numbers.study.humans, str(Together.MEAN))
    return Table(
        key="class-resampling",
        title="Class resampling: is a subset special?",
        note=f"{METRIC_TITLES[metric]} accuracy; change against all images in percentage points; "
        "p = (k + 1)/(trials + 1).",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            text_column("Subset"),
            *map(Column, ("Classes", "Change", "As large", "Trials", "p")),
        ),
        rows=tuple(
            (
                cells.called(row.participant),
                row.dataset,
                cells.titles[row.subset],
                str(row.classes),
                signed(row.change),
                str(row.trials_at_least_as_large),
                f"{row.trials:,}",
                p_text(row.p_value),
            )
            for row in cells.numbers.class_resampling
            if row.metric is metric
            and row.participant in shown
            and not row.subset.startswith("superclass:")
        ),
    )


def _fits(cells: Cells) -> Table:
    def ends(interval: tuple[float, float] | None) -> str:
        return _NONE if interval is None else f"[{interval[0]:.2f}, {interval[1]:.2f}]"

    return Table(
        key="fits",
        title="Fits of new against original accuracy over the models",
        note="Least squares; 95 % percentile bootstrap over the models.",
        columns=(
            *map(text_column, ("Metric", "Subset", "Scale")),
            *map(Column, ("Models", "Slope", "Slope, 95 %", "Intercept", "Intercept, 95 %")),
            Column("Degenerate"),
        ),
        rows=tuple(
            (
                METRIC_TITLES[fit.metric],
                cells.titles[fit.subset],
                str(fit.scale),
                str(fit.models),
                f"{fit.slope:.3f}".replace("-", "−"),
                ends(fit.slope_ci),
                f"{fit.intercept:.3f}".replace("-", "−"),
                ends(fit.intercept_ci),
                str(fit.degenerate),
            )
            for fit in cells.numbers.fits
            if not fit.subset.startswith("superclass:")
        ),
    )


def _times(cells: Cells) -> Table:
    return Table(
        key="times",
        title="Active time",
        note="Of the evaluation, all visits to an image together.",
        columns=(text_column("Participant"), *map(Column, ("Answers", "Median, s", "Total, h"))),
        rows=tuple(
            (
                cells.called(row.participant),
                f"{row.trials:,}",
                f"{row.median_active_seconds:.1f}",
                f"{row.total_active_hours:.2f}",
            )
            for row in cells.numbers.timing.per_participant
        ),
    )


def _agreement(cells: Cells) -> Table:
    found = (("Humans", cells.numbers.agreement), ("Reviewers", cells.contents.reviews.agreement))
    return Table(
        key="agreement",
        title="Agreement",
        note="Percent agreement is of pairs of answers to one image; kappas and alpha are nominal.",
        columns=(
            text_column("Among"),
            *map(Column, ("Raters", "Units", "Percent", "Cohen", "Fleiss", "Krippendorff")),
        ),
        rows=tuple(
            (
                who,
                str(figures.raters),
                f"{figures.units:,}",
                _NONE if figures.percent is None else percent(figures.percent),
                *(
                    _NONE if value is None else f"{value:.3f}".replace("-", "−")
                    for value in (figures.cohen, figures.fleiss, figures.krippendorff)
                ),
            )
            for who, figures in found
            if figures is not None and figures.units
        ),
    )


def _consistency(cells: Cells) -> Table:
    metric = cells.main_metric
    return Table(
        key="error-consistency",
        title=f"Error consistency of humans and models, {METRIC_TITLES[metric].lower()}",
        note="Kappa of being right or wrong on the same images beyond chance.",
        columns=(
            *map(text_column, ("Human", "Model", "Dataset")),
            *map(Column, ("Images", "Observed", "By chance", "Kappa")),
        ),
        rows=tuple(
            (
                cells.called(row.human),
                cells.called(row.model),
                row.dataset,
                f"{row.images:,}",
                percent(row.observed),
                percent(row.expected),
                _NONE if row.kappa is None else f"{row.kappa:.3f}".replace("-", "−"),
            )
            for row in cells.numbers.error_consistency
            if row.metric is metric
        ),
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


def _coverage(cells: Cells) -> Table:
    return Table(
        key="coverage",
        title="How many evaluated images each participant answered",
        note="Accuracies are over the images answered.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(Column, ("Answered", "Evaluated")),
        ),
        rows=tuple(
            (cells.called(row.participant), row.dataset, f"{row.answered:,}", f"{row.evaluated:,}")
            for row in cells.numbers.coverage
        ),
    )


def _all(cells: Cells) -> tuple[str, ...]:
    return cells.numbers.study.participants


def _people_then_models(cells: Cells, metric: Metric) -> list[str]:
    study = cells.numbers.study
    return cells.ordered(study.humans, metric) + cells.ordered(study.models, metric)
