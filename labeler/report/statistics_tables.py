"""The tables of tests, fits, agreement and time."""

from collections.abc import Iterator
from dataclasses import replace

from labeler.core.metrics.by_class import ClassResampling
from labeler.core.metrics.cell_source import Behind, Marking
from labeler.core.metrics.conditions import AnsweredByAny, Listed, OfSort, Sort, TimeKnown
from labeler.core.metrics.definitions import Together
from labeler.core.metrics.participant_pairs import McNemar
from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.tallies import Coverage
from labeler.report.accuracy_index import METRIC_TITLES, Cells
from labeler.report.table import (
    NONE,
    Cell,
    Column,
    Table,
    all_from,
    count_of,
    p_text,
    percent,
    signed,
    text_column,
    traced_table,
)


def mcnemar(cells: Cells) -> Iterator[Table]:
    """Everybody against each human; models among themselves are in report.json."""
    metric, humans = cells.main_metric, set(cells.numbers.study.humans)
    for number, dataset in enumerate(cells.datasets, start=1):
        yield traced_table(
            key=f"mcnemar-{number}",
            title=f"McNemar’s test on {dataset}, {METRIC_TITLES[metric].lower()}",
            note="Exact and two-sided, on the images both answered; pairs with a human.",
            columns=(
                text_column("A"),
                text_column("B"),
                *map(Column, ("Images", "Only A correct", "Only B correct", "p")),
            ),
            rows=(
                _mcnemar_row(cells, row)
                for row in cells.numbers.mcnemar
                if (row.dataset, row.metric, row.subset) == (dataset, metric, ALL)
                and row.a in humans
            ),
        )


def _mcnemar_row(cells: Cells, row: McNemar) -> Iterator[str | Cell]:
    both = cells.tracing.pair(row.a, row.b, dataset=row.dataset, metric=row.metric)
    yield from (cells.called(row.a), cells.called(row.b))
    yield count_of(both, row.images)
    yield count_of(cells.tracing.one_right(both, first=True), row.only_a_correct)
    yield count_of(cells.tracing.one_right(both, first=False), row.only_b_correct)
    yield Cell(p_text(row.p_value), both)


def resampling(cells: Cells) -> Table:
    metric = cells.main_metric
    shown = (*cells.numbers.study.humans, str(Together.MEAN))
    return traced_table(
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
        rows=(
            (
                cells.called(row.participant),
                row.dataset,
                cells.titles[row.subset],
                *all_from(
                    _resampled(cells, row),
                    str(row.classes),
                    signed(row.change),
                    f"{row.trials_at_least_as_large:,}",
                    f"{row.trials:,}",
                    p_text(row.p_value),
                ),
            )
            for row in cells.numbers.class_resampling
            if row.metric is metric
            and row.participant in shown
            and not row.subset.startswith("superclass:")
        ),
    )


def _resampled(cells: Cells, row: ClassResampling) -> Behind | None:
    if row.participant != Together.MEAN:
        key = row.participant, row.dataset, row.subset, row.metric
        return cells.tracing.accuracies(cells.accuracy.get(key))
    return cells.tracing.several(
        str(Together.MEAN).capitalize(),
        cells.numbers.study.humans,
        datasets=(row.dataset,),
        metric=row.metric,
        subset=row.subset,
    )


def fits(cells: Cells) -> Table:
    def ends(interval: tuple[float, float] | None) -> str:
        if interval is None:
            return NONE
        return f"[{interval[0]:.2f}, {interval[1]:.2f}]".replace("-", "−")

    return traced_table(
        key="fits",
        title="Fits of new against original accuracy over the models",
        note="Least squares; 95 % percentile bootstrap over the models.",
        columns=(
            *map(text_column, ("Metric", "Subset", "Scale")),
            *map(Column, ("Models", "Slope", "Slope, 95 %", "Intercept", "Intercept, 95 %")),
            Column("Degenerate"),
        ),
        rows=(
            (
                METRIC_TITLES[fit.metric],
                cells.titles[fit.subset],
                str(fit.scale),
                *all_from(
                    cells.tracing.several(
                        "The models",
                        cells.numbers.study.models,
                        datasets=(fit.original, fit.new),
                        metric=fit.metric,
                        subset=fit.subset,
                    ),
                    str(fit.models),
                    f"{fit.slope:.3f}".replace("-", "−"),
                    ends(fit.slope_ci),
                    f"{fit.intercept:.3f}".replace("-", "−"),
                    ends(fit.intercept_ci),
                    str(fit.degenerate),
                ),
            )
            for fit in cells.numbers.fits
            if not fit.subset.startswith("superclass:")
        ),
    )


def times(cells: Cells) -> Table:
    return traced_table(
        key="times",
        title="Active time",
        note="Of the evaluation, all visits to an image together.",
        columns=(text_column("Participant"), *map(Column, ("Answers", "Median, s", "Total, h"))),
        rows=(
            (
                cells.called(row.participant),
                *all_from(
                    _timed(cells, row.participant),
                    f"{row.trials:,}",
                    f"{row.median_active_seconds:.1f}",
                    f"{row.total_active_hours:.2f}",
                ),
            )
            for row in cells.numbers.timing.per_participant
        ),
    )


def _timed(cells: Cells, code: str) -> Behind:
    return Behind(
        heading=f"{cells.called(code)}, all images with a time",
        words="The evaluation’s answers, counted in an accuracy or not",
        datasets=cells.datasets,
        subsets=(),
        conditions=(TimeKnown(code),),
        markings=(Marking(code, cells.main_metric),),
    )


def agreement(cells: Cells) -> Table:
    reviews = cells.contents.reviews
    found = (
        ("Humans", cells.numbers.agreement, _answered_by_several(cells)),
        ("Reviewers", reviews.agreement, _judged_by_several(cells)),
    )
    return traced_table(
        key="agreement",
        title="Agreement",
        note="Percent agreement is of pairs of answers to one image; kappas and alpha are nominal.",
        columns=(
            text_column("Among"),
            *map(Column, ("Raters", "Units", "Percent", "Cohen", "Fleiss", "Krippendorff")),
        ),
        rows=(
            (
                who,
                *all_from(
                    behind,
                    str(figures.raters),
                    f"{figures.units:,}",
                    NONE if figures.percent is None else percent(figures.percent),
                    *(
                        NONE if value is None else f"{value:.3f}".replace("-", "−")
                        for value in (figures.cohen, figures.fleiss, figures.krippendorff)
                    ),
                ),
            )
            for who, figures, behind in found
            if figures is not None and figures.units
        ),
    )


def _answered_by_several(cells: Cells) -> Behind:
    humans = cells.numbers.study.humans
    return Behind(
        heading="The humans’ answers",
        words="Images that two humans or more answered",
        datasets=cells.datasets,
        subsets=(),
        conditions=(OfSort(Sort.BASE), AnsweredByAny(humans, fewest=2)),
        markings=tuple(Marking(code, cells.main_metric) for code in humans),
    )


def _judged_by_several(cells: Cells) -> Behind:
    return Behind(
        heading="The reviewers’ verdicts",
        words="Images with a label that two reviewers or more judged",
        datasets=cells.datasets,
        subsets=(),
        conditions=(Listed(cells.contents.reviews.judged_by_several),),
    )


def consistency(cells: Cells) -> Table:
    metric = cells.main_metric
    return traced_table(
        key="error-consistency",
        title=f"Error consistency of humans and models, {METRIC_TITLES[metric].lower()}",
        note="Kappa of being right or wrong on the same images beyond chance.",
        columns=(
            *map(text_column, ("Human", "Model", "Dataset")),
            *map(Column, ("Images", "Observed", "By chance", "Kappa")),
        ),
        rows=(
            (
                cells.called(row.human),
                cells.called(row.model),
                row.dataset,
                *all_from(
                    cells.tracing.pair(
                        row.human, row.model, dataset=row.dataset, metric=row.metric
                    ),
                    f"{row.images:,}",
                    percent(row.observed),
                    percent(row.expected),
                    NONE if row.kappa is None else f"{row.kappa:.3f}".replace("-", "−"),
                ),
            )
            for row in cells.numbers.error_consistency
            if row.metric is metric
        ),
    )


def coverage(cells: Cells) -> Table:
    return traced_table(
        key="coverage",
        title="How many evaluated images each participant answered",
        note="Accuracies are over the images answered.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(Column, ("Answered", "Evaluated")),
        ),
        rows=(
            (
                cells.called(row.participant),
                row.dataset,
                count_of(_answered(cells, row), row.answered),
                count_of(_evaluated(cells, row), row.evaluated),
            )
            for row in cells.numbers.coverage
        ),
    )


def _answered(cells: Cells, row: Coverage) -> Behind:
    return cells.tracing.answered(row.participant, (row.dataset,), cells.main_metric)


def _evaluated(cells: Cells, row: Coverage) -> Behind:
    words = "All evaluated images, answered or not"
    return replace(_answered(cells, row), words=words, conditions=())
