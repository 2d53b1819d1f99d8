"""Tables of tests, fits, agreement and time."""

from collections.abc import Iterator
from dataclasses import astuple, replace

from labeler.core.metrics.adjusted_tests import AdjustedTest, TestFamily
from labeler.core.metrics.by_class import ClassResampling
from labeler.core.metrics.cell_source import (
    ActiveTimeKnown,
    AnsweredByAny,
    EvaluationSource,
    HasImageStatus,
    ImageListed,
    ImageStatus,
    ParticipantMetric,
)
from labeler.core.metrics.definitions import HumanAggregate, Metric
from labeler.core.metrics.participant_pairs import McNemarResult
from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.tallies import AnswerCoverage
from labeler.core.statistics.linear_fit import MIN_POINTS_FOR_INTERVAL
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    cells_with_source,
    count_cell,
    format_p_value,
    format_percent,
    format_signed,
    table_with_sources,
    text_column,
)


def mcnemar_table(cells: AccuracyIndex) -> Iterator[ReportTable]:
    """Yield everyone against each human; pairs of models are only in report.json."""
    metric, humans = cells.main_metric, set(cells.numbers.study.humans)
    for number, dataset in enumerate(cells.datasets, start=1):
        yield table_with_sources(
            key=f"mcnemar-{number}",
            title=f"McNemar’s test on {dataset}, {METRIC_TITLES[metric].lower()}",
            note="Exact and two-sided, on the images that both answered; pairs with a human only. "
            "Holm’s adjustment is over each human against the best model, on all datasets.",
            columns=(
                text_column("A"),
                text_column("B"),
                *map(ReportColumn, ("Images", "Only A correct", "Only B correct", "p", "p, Holm")),
            ),
            rows=(
                _mcnemar_row(cells, row)
                for row in cells.numbers.mcnemar
                if (row.dataset, row.metric, row.subset) == (dataset, metric, ALL)
                and row.a in humans
            ),
        )


def _mcnemar_row(cells: AccuracyIndex, row: McNemarResult) -> Iterator[str | ReportCell]:
    both = cells.cell_sources.pair(row.a, row.b, dataset=row.dataset, metric=row.metric)
    yield from (cells.display_name(row.a), cells.display_name(row.b))
    yield count_cell(both, row.images)
    yield count_cell(cells.cell_sources.one_right(both, first=True), row.only_a_correct)
    yield count_cell(cells.cell_sources.one_right(both, first=False), row.only_b_correct)
    yield ReportCell(format_p_value(row.p_value), both)
    key = TestFamily.MCNEMAR_BEST_MODEL, row.a, row.b, row.dataset, row.subset, row.metric
    yield ReportCell(adjusted_text(cells.adjusted.get(key)), both)


def adjusted_text(test: AdjustedTest | None) -> str:
    """Format Holm’s p; a test outside every family has none."""
    return NO_VALUE if test is None else format_p_value(test.p_value_holm)


def resampling_table(cells: AccuracyIndex) -> ReportTable:
    metric = cells.main_metric
    shown = (*cells.numbers.study.humans, str(HumanAggregate.MEAN))
    subsets = cells.shown_subsets(
        (s.key for s in cells.numbers.subsets if s.tested and not s.is_superclass), besides=(ALL,)
    )
    note = (
        f"{METRIC_TITLES[metric]} accuracy; change against all images in percentage points; "
        "two-sided p = min(1, 2·min(lower, upper)), each from (k + 1)/(trials + 1). The one-sided "
        "p counts the draws that change as much in the direction of the change, so it is too small."
    )
    return table_with_sources(
        key="class-resampling",
        title="Class-resampling test of subsets",
        note=" ".join(filter(None, (note, subsets.sentence))),
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            text_column("Subset"),
            *map(
                ReportColumn,
                (
                    "Classes",
                    "Change",
                    "p, two-sided",
                    "p, Holm",
                    "As large",
                    "Trials",
                    "p, one-sided",
                ),
            ),
        ),
        rows=(
            (
                cells.display_name(row.participant),
                row.dataset,
                cells.titles[row.subset],
                *cells_with_source(
                    _resampled(cells, row),
                    str(row.classes),
                    format_signed(row.change),
                    format_p_value(row.p_value_two_sided),
                    adjusted_text(cells.adjusted.get(_resampling_key(row))),
                    f"{row.trials_at_least_as_large:,}",
                    f"{row.trials:,}",
                    format_p_value(row.p_value),
                ),
            )
            for row in cells.numbers.class_resampling
            if row.metric is metric and row.participant in shown and row.subset in subsets.keys
        ),
    )


def _resampling_key(row: ClassResampling) -> tuple[TestFamily, str, str, str, str, Metric]:
    family = TestFamily.CLASS_RESAMPLING
    return family, row.participant, "", row.dataset, row.subset, row.metric


def _resampled(cells: AccuracyIndex, row: ClassResampling) -> EvaluationSource | None:
    if row.participant != HumanAggregate.MEAN:
        key = row.participant, row.dataset, row.subset, row.metric
        return cells.cell_sources.accuracies(cells.accuracy.get(key))
    return cells.cell_sources.several(
        str(HumanAggregate.MEAN).capitalize(),
        cells.numbers.study.humans,
        datasets=(row.dataset,),
        metric=row.metric,
        subset=row.subset,
    )


FITS_NOTE = (
    "Least squares; 95 % percentile bootstrap over the models. Fits of fewer than "
    f"{MIN_POINTS_FOR_INTERVAL} models are left out."
)


def fits_table(cells: AccuracyIndex) -> ReportTable:
    """Return the lines; too few models give none."""
    subsets = cells.shown_subsets(s.key for s in cells.numbers.subsets if not s.is_superclass)
    note = f"{FITS_NOTE} {subsets.sentence}".rstrip()

    def format_interval(interval: tuple[float, float] | None) -> str:
        if interval is None:
            return NO_VALUE
        return f"[{interval[0]:.2f}, {interval[1]:.2f}]".replace("-", "−")

    return table_with_sources(
        key="fits",
        title="Fits of new against original accuracy over the models",
        note=note,
        columns=(
            *map(text_column, ("Metric", "Subset", "Scale")),
            *map(ReportColumn, ("Models", "Slope", "Slope, 95 %", "Intercept", "Intercept, 95 %")),
            *map(ReportColumn, ("r", "R²", "SE of slope", "Residual SE", "Degenerate")),
        ),
        rows=(
            (
                METRIC_TITLES[fit.metric],
                cells.titles[fit.subset],
                str(fit.scale),
                *cells_with_source(
                    cells.cell_sources.several(
                        "The models",
                        cells.numbers.study.models,
                        datasets=(fit.original, fit.new),
                        metric=fit.metric,
                        subset=fit.subset,
                    ),
                    str(fit.models),
                    f"{fit.slope:.3f}".replace("-", "−"),
                    format_interval(fit.slope_ci),
                    f"{fit.intercept:.3f}".replace("-", "−"),
                    format_interval(fit.intercept_ci),
                    *map(_three_decimals, astuple(fit.quality)),
                    str(fit.degenerate),
                ),
            )
            for fit in cells.numbers.fits
            if fit.is_shown and fit.subset in subsets.keys
        ),
    )


def _three_decimals(value: float | None) -> str:
    return NO_VALUE if value is None else f"{value:.3f}".replace("-", "−")


def times_table(cells: AccuracyIndex) -> ReportTable:
    return table_with_sources(
        key="times",
        title="Active time",
        note="During the evaluation, all visits to an image together.",
        columns=(
            text_column("Participant"),
            *map(ReportColumn, ("Answers", "Median, s", "Total, h")),
        ),
        rows=(
            (
                cells.display_name(row.participant),
                *cells_with_source(
                    _timed(cells, row.participant),
                    f"{row.trials:,}",
                    f"{row.median_active_seconds:.1f}",
                    f"{row.total_active_hours:.2f}",
                ),
            )
            for row in cells.numbers.timing.per_participant
        ),
    )


def _timed(cells: AccuracyIndex, code: str) -> EvaluationSource:
    return EvaluationSource(
        heading=f"{cells.display_name(code)}, all images with a time",
        words="All evaluation answers, whether or not they count in an accuracy",
        datasets=cells.datasets,
        subsets=(),
        conditions=(ActiveTimeKnown(code),),
        markings=(ParticipantMetric(code, cells.main_metric),),
    )


def agreement_table(cells: AccuracyIndex) -> ReportTable:
    reviews = cells.contents.reviews
    found = (
        ("Humans", cells.numbers.agreement, _answered_by_several(cells)),
        ("Reviewers", reviews.agreement, _judged_by_several(cells)),
    )
    return table_with_sources(
        key="agreement",
        title="Agreement",
        note="Percent agreement is over pairs of answers to an image; all measures are nominal.",
        columns=(
            text_column("Among"),
            *map(ReportColumn, ("Raters", "Units", "Percent", "Cohen", "Fleiss", "Krippendorff")),
        ),
        rows=(
            (
                group,
                *cells_with_source(
                    source,
                    str(measures.raters),
                    f"{measures.units:,}",
                    NO_VALUE if measures.percent is None else format_percent(measures.percent),
                    *(
                        NO_VALUE if value is None else f"{value:.3f}".replace("-", "−")
                        for value in (measures.cohen, measures.fleiss, measures.krippendorff)
                    ),
                ),
            )
            for group, measures, source in found
            if measures is not None and measures.units
        ),
    )


def _answered_by_several(cells: AccuracyIndex) -> EvaluationSource:
    humans = cells.numbers.study.humans
    return EvaluationSource(
        heading="The humans’ answers",
        words="Images that at least two humans answered",
        datasets=cells.datasets,
        subsets=(),
        conditions=(HasImageStatus(ImageStatus.BASE), AnsweredByAny(humans, fewest=2)),
        markings=tuple(ParticipantMetric(code, cells.main_metric) for code in humans),
    )


def _judged_by_several(cells: AccuracyIndex) -> EvaluationSource:
    return EvaluationSource(
        heading="The reviewers’ verdicts",
        words="Images with a label that at least two reviewers judged",
        datasets=cells.datasets,
        subsets=(),
        conditions=(ImageListed(cells.contents.reviews.judged_by_several),),
    )


def consistency_table(cells: AccuracyIndex) -> ReportTable:
    metric = cells.main_metric
    return table_with_sources(
        key="error-consistency",
        title=f"Error consistency of humans and models, {METRIC_TITLES[metric].lower()}",
        note="Kappa: agreement beyond chance in being right or wrong on the same images.",
        columns=(
            *map(text_column, ("Human", "Model", "Dataset")),
            *map(ReportColumn, ("Images", "Observed", "By chance", "Kappa")),
        ),
        rows=(
            (
                cells.display_name(row.human),
                cells.display_name(row.model),
                row.dataset,
                *cells_with_source(
                    cells.cell_sources.pair(
                        row.human, row.model, dataset=row.dataset, metric=row.metric
                    ),
                    f"{row.images:,}",
                    format_percent(row.observed),
                    format_percent(row.expected),
                    NO_VALUE if row.kappa is None else f"{row.kappa:.3f}".replace("-", "−"),
                ),
            )
            for row in cells.numbers.error_consistency
            if row.metric is metric
        ),
    )


def coverage_table(cells: AccuracyIndex) -> ReportTable:
    return table_with_sources(
        key="coverage",
        title="Evaluated images that each participant answered",
        note="Accuracies are over the answered images.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(ReportColumn, ("Answered", "Evaluated")),
        ),
        rows=(row for dataset in cells.datasets for row in _coverage_rows(cells, dataset)),
    )


def _coverage_rows(cells: AccuracyIndex, dataset: str) -> Iterator[tuple[str | ReportCell, ...]]:
    """Yield those who left out images, then those who answered all of them in one row."""
    rows = [row for row in cells.numbers.coverage if row.dataset == dataset]
    complete = [row for row in rows if row.answered == row.evaluated]
    together = complete if len(complete) > 1 else []
    for row in rows:
        if row not in together:
            yield (cells.display_name(row.participant), dataset, *_coverage_cells(cells, row))
    if together:
        name = "Everyone" if len(together) == len(rows) else "Everyone else"
        source = cells.cell_sources.several(
            name, [r.participant for r in together], datasets=(dataset,), metric=cells.main_metric
        )
        words = f"All evaluated images, answered by all {len(together)}"
        images = count_cell(
            source and replace(source, words=words, conditions=()), together[0].evaluated
        )
        yield (name, dataset, images, images)


def _coverage_cells(
    cells: AccuracyIndex, row: AnswerCoverage
) -> tuple[str | ReportCell, str | ReportCell]:
    if row.participant in cells.numbers.study.silent:
        return f"{row.answered:,}", f"{row.evaluated:,}"
    return (
        count_cell(_answered(cells, row), row.answered),
        count_cell(_evaluated(cells, row), row.evaluated),
    )


def _answered(cells: AccuracyIndex, row: AnswerCoverage) -> EvaluationSource:
    return cells.cell_sources.answered(row.participant, (row.dataset,), cells.main_metric)


def _evaluated(cells: AccuracyIndex, row: AnswerCoverage) -> EvaluationSource:
    words = "All evaluated images, answered or not"
    return replace(_answered(cells, row), words=words, conditions=())
