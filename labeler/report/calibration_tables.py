"""Tables of how often answers are right by how sure they were."""

from labeler.core.metrics.calibration import ConfidenceStep, ReliabilityBin
from labeler.core.metrics.cell_source import (
    AnsweredWithConfidence,
    EvaluationSource,
    ProbabilityBetween,
)
from labeler.core.metrics.subsets import ALL
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportColumn,
    ReportTable,
    cells_with_source,
    format_percent,
    format_with_interval,
    table_with_sources,
    text_column,
)


def steps_table(cells: AccuracyIndex) -> ReportTable:
    """Return the accuracy of all humans' answers by step of confidence."""
    return table_with_sources(
        key="confidence-steps",
        title="Accuracy by confidence, all humans",
        note="How sure people were, from 1 to 5. Several people answered the same image, so "
        "95 % intervals are from resampled images. Assigned: the probability that the lead gave "
        "the step before the evaluation, if any.",
        columns=(
            *map(text_column, ("Dataset", "Metric", "Confidence")),
            *map(ReportColumn, ("Assigned", "People", "Answers", "Accuracy")),
        ),
        rows=(
            (
                row.dataset,
                METRIC_TITLES[row.metric],
                str(row.confidence),
                NO_VALUE
                if row.assigned_probability is None
                else format_percent(row.assigned_probability),
                *cells_with_source(
                    step_source(cells, row),
                    str(row.people),
                    f"{row.total:,}",
                    format_with_interval(row.accuracy, row.ci_low, row.ci_high),
                ),
            )
            for row in cells.numbers.confidence_steps
        ),
    )


def step_source(cells: AccuracyIndex, row: ConfidenceStep) -> EvaluationSource | None:
    source = cells.cell_sources.several(
        "All humans", cells.numbers.study.humans, datasets=(row.dataset,), metric=row.metric
    )
    return source and source.also(
        f"{source.words}, confidence {row.confidence}",
        AnsweredWithConfidence(source.markings, row.confidence),
    )


def reliability_table(cells: AccuracyIndex) -> ReportTable:
    """Return the models' accuracy by the probability of their first guess."""
    metric = cells.main_metric
    return table_with_sources(
        key="reliability",
        title=f"Models’ probabilities and {METRIC_TITLES[metric].lower()} accuracy",
        note="Images by the probability of the first guess; a calibrated model is right as often "
        "as its mean probability says. Exact 95 % Clopper–Pearson intervals.",
        columns=(
            *map(text_column, ("Model", "Dataset", "Probability")),
            *map(ReportColumn, ("Images", "Mean probability", "Accuracy")),
        ),
        rows=(
            (
                cells.display_name(row.participant),
                row.dataset,
                _range(row),
                *cells_with_source(
                    bin_source(cells, row),
                    f"{row.total:,}",
                    format_percent(row.mean_probability),
                    format_with_interval(row.accuracy, row.ci_low, row.ci_high),
                ),
            )
            for row in cells.numbers.reliability
            if row.metric is metric
        ),
    )


def _range(row: ReliabilityBin) -> str:
    return f"{row.above:.1f} to {row.up_to:.1f}"


def bin_source(cells: AccuracyIndex, row: ReliabilityBin) -> EvaluationSource | None:
    key = row.participant, row.dataset, ALL, row.metric
    source = cells.cell_sources.accuracies(cells.accuracy.get(key))
    return source and source.also(
        f"{source.words}, probability {_range(row)}",
        ProbabilityBetween(row.participant, row.above, row.up_to),
    )
