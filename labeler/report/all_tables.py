"""All tables of a report, in the layout of the papers."""

from labeler.core.metrics.accuracy_by_part import ConfidenceAccuracy, ExposureAccuracy
from labeler.core.metrics.cell_source import (
    AnsweredWithConfidence,
    EvaluationSource,
    ImageSeenBefore,
)
from labeler.core.metrics.gaps import Gap
from labeler.core.metrics.subsets import ALL
from labeler.report import (
    accuracy_tables,
    calibration_tables,
    count_tables,
    gap_tables,
    statistics_tables,
)
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.built_tables import built_tables
from labeler.report.crowd.confusion_tables import confusion_tables
from labeler.report.crowd.label_tables import label_tables
from labeler.report.crowd.object_tables import object_tables
from labeler.report.factor_table import factors_table
from labeler.report.self_consistency_table import self_consistency_table
from labeler.report.table import (
    ReportCell,
    ReportColumn,
    ReportTable,
    cells_with_source,
    format_percent,
    format_signed,
    format_with_interval,
    table_with_sources,
    text_column,
    without_empty_columns,
)


def report_tables(cells: AccuracyIndex) -> list[ReportTable]:
    """Return all tables with rows, in the order of a paper."""
    tables = [
        count_tables.datasets_table(cells),
        *accuracy_tables.comparison_tables(cells),
        gap_tables.groups_table(cells),
        gap_tables.participants_table(cells),
        gap_tables.differences_table(cells),
        gap_tables.sensitivity_table(cells),
        *accuracy_tables.side_by_side_tables(cells),
        *accuracy_tables.superclass_tables(cells),
        *accuracy_tables.named_subsets_table(cells),
        factors_table(cells),
        _models(cells),
        count_tables.escape_hatches_table(cells),
        calibration_tables.steps_table(cells),
        _confidence(cells),
        calibration_tables.reliability_table(cells),
        _exposures(cells),
        count_tables.unjudged_table(cells),
        accuracy_tables.conventions_table(cells),
        accuracy_tables.differences_table(cells),
        *statistics_tables.mcnemar_table(cells),
        statistics_tables.resampling_table(cells),
        statistics_tables.fits_table(cells),
        statistics_tables.times_table(cells),
        statistics_tables.agreement_table(cells),
        self_consistency_table(cells),
        statistics_tables.consistency_table(cells),
        count_tables.label_changes_table(cells),
        accuracy_tables.all_images_table(cells),
        statistics_tables.coverage_table(cells),
        *built_tables(cells),
        *object_tables(cells),
        *label_tables(cells),
        *confusion_tables(cells),
    ]
    return [without_empty_columns(table) for table in tables if table.rows]


def _models(cells: AccuracyIndex) -> ReportTable:
    metric = cells.main_metric
    rows = [
        _model_row(cells, gap)
        for gap in sorted(cells.numbers.gaps, key=lambda gap: gap.rank_original)
        if (gap.subset, gap.metric) == (ALL, metric) and gap.kind == "model"
    ]
    return table_with_sources(
        key="models",
        title=f"Models by rank: {METRIC_TITLES[metric].lower()} accuracy",
        note="Ranks are among the models; equal accuracies share the lowest rank.",
        columns=(
            text_column("Model"),
            *map(ReportColumn, ("Rank, original", "Rank, new", "Change", "Original", "New", "Gap")),
        ),
        rows=rows,
    )


def _model_row(cells: AccuracyIndex, gap: Gap) -> tuple[str | ReportCell, ...]:
    original, new = (
        cells.accuracy.get((gap.participant, dataset, gap.subset, gap.metric))
        for dataset in (gap.dataset_original, gap.dataset_new)
    )
    trace = cells.cell_sources.accuracies
    change = f"{gap.rank_change:+d}".replace("-", "−") if gap.rank_change else "0"
    return (
        cells.display_name(gap.participant),
        ReportCell(str(gap.rank_original), trace(original)),
        ReportCell(str(gap.rank_new), trace(new)),
        ReportCell(change, trace(original, new)),
        ReportCell(format_percent(gap.original), trace(original)),
        ReportCell(format_percent(gap.new), trace(new)),
        ReportCell(format_signed(gap.gap), trace(original, new)),
    )


def _confidence(cells: AccuracyIndex) -> ReportTable:
    return table_with_sources(
        key="confidence",
        title="Accuracy by confidence",
        note="How sure the participant was, from 1 to 5; with exact 95 % Clopper–Pearson "
        "intervals.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            text_column("Metric"),
            text_column("Confidence"),
            *map(ReportColumn, ("Images", "Accuracy")),
        ),
        rows=(
            (
                cells.display_name(row.participant),
                row.dataset,
                METRIC_TITLES[row.metric],
                str(row.confidence),
                *cells_with_source(
                    _with_confidence(cells, row),
                    f"{row.total:,}",
                    format_with_interval(row.accuracy, row.ci_low, row.ci_high),
                ),
            )
            for row in cells.numbers.by_confidence
        ),
    )


def _with_confidence(cells: AccuracyIndex, row: ConfidenceAccuracy) -> EvaluationSource | None:
    key = row.participant, row.dataset, ALL, row.metric
    source = cells.cell_sources.accuracies(cells.accuracy.get(key))
    return source and source.also(
        f"{source.words}, confidence {row.confidence}",
        AnsweredWithConfidence(source.markings, row.confidence),
    )


def _exposures(cells: AccuracyIndex) -> ReportTable:
    return table_with_sources(
        key="earlier-exposure",
        title="Accuracy by earlier exposure",
        note="Images that the participant had trained on, reviewed or declared as known before the "
        "evaluation was locked, and the others; with exact 95 % Clopper–Pearson intervals.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            text_column("Metric"),
            text_column("Seen before"),
            *map(ReportColumn, ("Images", "Accuracy")),
        ),
        rows=(
            (
                cells.display_name(row.participant),
                row.dataset,
                METRIC_TITLES[row.metric],
                "yes" if row.seen_before else "no",
                *cells_with_source(
                    _exposed(cells, row),
                    f"{row.total:,}",
                    format_with_interval(row.accuracy, row.ci_low, row.ci_high),
                ),
            )
            for row in cells.numbers.by_exposure
        ),
    )


def _exposed(cells: AccuracyIndex, row: ExposureAccuracy) -> EvaluationSource | None:
    key = row.participant, row.dataset, ALL, row.metric
    source = cells.cell_sources.accuracies(cells.accuracy.get(key))
    words = "seen before" if row.seen_before else "not seen before"
    return source and source.also(
        f"{source.words}, {words}", ImageSeenBefore(row.participant, row.seen_before)
    )
