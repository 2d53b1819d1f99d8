"""Tables of gaps with intervals, and of the headline numbers under other decisions."""

from collections.abc import Iterator

from labeler.core.metrics.adjusted_tests import TestFamily
from labeler.core.metrics.cell_source import EvaluationSource
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.gap_intervals import GapGroup, GapGroupRow, GapInterval, ResampledUnit
from labeler.core.metrics.sensitivity import RULE_PREFIX, Alternative, SensitivityRow
from labeler.core.metrics.subsets import ALL
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.statistics_tables import adjusted_text
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    cells_with_source,
    format_p_value,
    format_signed_interval,
    table_with_sources,
    text_column,
)

GROUP_TITLES = {
    GapGroup.HUMANS: "Mean of the humans",
    GapGroup.MODELS: "Mean of the models",
    GapGroup.DIFFERENCE: "Humans minus models",
}
assert set(GROUP_TITLES) == set(GapGroup), "every group has a title"
ALTERNATIVE_TITLES = {
    Alternative.MAIN: "As reported",
    Alternative.UNCLEAR_CORRECT: "Unclear labels count as correct",
    Alternative.NO_CORRECT_LABEL_WRONG: "Images without a correct label count as wrong",
    Alternative.UNJUDGED_LEFT_OUT: "Unjudged answers are left out",
    Alternative.IMPUTED: "Escape hatches are imputed",
    Alternative.TOP1: "Top-1 instead of multi-label accuracy",
}
assert set(ALTERNATIVE_TITLES) == set(Alternative), "every alternative has a title"
_UNITS = {
    ResampledUnit.CLASSES: "classes, jointly in both datasets",
    ResampledUnit.IMAGES: "images within each dataset",
}


def resampling_note(cells: AccuracyIndex) -> str:
    """Say what was resampled."""
    found = cells.numbers.gap_statistics
    return (
        f"Percentage points, original minus new, with 95 % percentile intervals from "
        f"{found.resamples:,} bootstrap resamples of {_UNITS[found.resampled]}."
    )


def _metrics(cells: AccuracyIndex) -> tuple[Metric, ...]:
    return tuple(dict.fromkeys((cells.main_metric, Metric.TOP1)))


def groups_table(cells: AccuracyIndex) -> ReportTable:
    """Return the mean gaps and their difference, on all images and on groups of classes."""
    found = cells.numbers.gap_statistics
    shown = cells.shown_subsets(dict.fromkeys(row.subset for row in found.groups))
    return table_with_sources(
        key="gap-groups",
        title="Mean gap of humans and models",
        note=f"{resampling_note(cells)} p: two-sided test that the value is zero; Holm’s "
        "adjustment is within each metric and subset. p, participants: permutation of humans and "
        "models."
        if found.resamples
        else "",
        columns=(
            *map(text_column, ("Metric", "Subset", "Group")),
            *map(ReportColumn, ("Participants", "Gap", "p", "p, Holm", "p, participants")),
        ),
        rows=(
            _group_row(cells, row)
            for row in found.groups
            if row.metric in _metrics(cells) and row.subset in shown.keys
        ),
    )


def _group_row(cells: AccuracyIndex, row: GapGroupRow) -> Iterator[str | ReportCell]:
    key = TestFamily.GAP_GROUPS, str(row.group), "", "", row.subset, row.metric
    count = {
        GapGroup.HUMANS: f"{row.humans}",
        GapGroup.MODELS: f"{row.models}",
        GapGroup.DIFFERENCE: f"{row.humans} and {row.models}",
    }[row.group]
    permuted = row.p_value_participants
    yield from (METRIC_TITLES[row.metric], cells.titles[row.subset], GROUP_TITLES[row.group])
    yield from cells_with_source(
        group_source(cells, row),
        count,
        format_signed_interval(row.gap, row.ci_low, row.ci_high),
        format_p_value(row.p_value),
        adjusted_text(cells.adjusted.get(key)),
        NO_VALUE if permuted is None else format_p_value(permuted),
    )


def group_source(cells: AccuracyIndex, row: GapGroupRow) -> EvaluationSource | None:
    """Return the images that anyone of the group answered."""
    study = cells.numbers.study
    codes = {
        GapGroup.HUMANS: study.humans,
        GapGroup.MODELS: study.models,
        GapGroup.DIFFERENCE: study.participants,
    }[row.group]
    return cells.cell_sources.several(
        GROUP_TITLES[row.group],
        codes,
        datasets=cells.pair or (),
        metric=row.metric,
        subset=row.subset,
    )


def participants_table(cells: AccuracyIndex) -> ReportTable:
    """Return everyone’s gap by the main metric, humans first, smallest gap first."""
    metric, rows = cells.main_metric, participant_gaps(cells)
    return table_with_sources(
        key="gaps",
        title=f"Gap of each participant: {METRIC_TITLES[metric].lower()} accuracy",
        note=f"{resampling_note(cells)} p: two-sided test that the gap is zero, with Holm’s "
        "adjustment over the participants."
        if rows
        else "",
        columns=(
            text_column("Participant"),
            text_column("Kind"),
            *map(ReportColumn, ("Gap", "SE", "p", "p, Holm")),
        ),
        rows=(_participant_row(cells, row) for row in rows),
    )


def participant_gaps(cells: AccuracyIndex) -> list[GapInterval]:
    """Return everyone’s gap on all images by the main metric, in the order of the table."""
    rows = [
        row
        for row in cells.numbers.gap_statistics.participants
        if (row.metric, row.subset) == (cells.main_metric, ALL)
    ]
    return sorted(rows, key=lambda row: (row.kind != "human", row.gap))


def participant_source(cells: AccuracyIndex, row: GapInterval) -> EvaluationSource | None:
    """Return the images of both datasets in the participant’s accuracies."""
    both = (
        cells.accuracy.get((row.participant, dataset, row.subset, row.metric))
        for dataset in cells.pair or ()
    )
    return cells.cell_sources.accuracies(*both)


def _participant_row(cells: AccuracyIndex, row: GapInterval) -> Iterator[str | ReportCell]:
    key = TestFamily.GAPS, row.participant, "", "", row.subset, row.metric
    yield from (cells.display_name(row.participant), str(row.kind))
    yield from cells_with_source(
        participant_source(cells, row),
        format_signed_interval(row.gap, row.ci_low, row.ci_high),
        f"{100 * row.standard_error:.1f}",
        format_p_value(row.p_value),
        adjusted_text(cells.adjusted.get(key)),
    )


def differences_table(cells: AccuracyIndex) -> ReportTable:
    """Return every human against every model."""
    metric = cells.main_metric
    rows = [row for row in cells.numbers.gap_statistics.differences if row.metric is metric]
    return table_with_sources(
        key="gap-differences",
        title=f"Gap of each human minus gap of each model: {METRIC_TITLES[metric].lower()}",
        note=f"{resampling_note(cells)} Paired by image; negative: the human loses less. Holm’s "
        "adjustment is over all pairs."
        if rows
        else "",
        columns=(
            *map(text_column, ("Human", "Model")),
            *map(ReportColumn, ("Difference", "p", "p, Holm")),
        ),
        rows=(
            (
                cells.display_name(row.human),
                cells.display_name(row.model),
                *cells_with_source(
                    cells.cell_sources.several(
                        f"{cells.display_name(row.human)} and {cells.display_name(row.model)}",
                        (row.human, row.model),
                        datasets=cells.pair or (),
                        metric=metric,
                    ),
                    format_signed_interval(row.difference, row.ci_low, row.ci_high),
                    format_p_value(row.p_value),
                    adjusted_text(
                        cells.adjusted.get(
                            (TestFamily.GAP_DIFFERENCES, row.human, row.model, "", ALL, metric)
                        )
                    ),
                ),
            )
            for row in rows
        ),
    )


def alternative_title(alternative: str) -> str:
    """Return a title of an alternative in words."""
    if alternative.startswith(RULE_PREFIX):
        rule = alternative.removeprefix(RULE_PREFIX)
        return f"Verdicts resolved by the rule {rule}"
    return ALTERNATIVE_TITLES[Alternative(alternative)]


def sensitivity_table(cells: AccuracyIndex) -> ReportTable:
    """Return the headline numbers under every alternative that changes one of them."""
    rows = cells.numbers.sensitivity
    main = rows[0] if rows else None
    changed = [row for row in rows[1:] if _differs(row, main)]
    same = [row for row in rows[1:] if not _differs(row, main)]
    left_out = "; ".join(alternative_title(row.alternative) for row in same)
    sentence = f"The same numbers as reported: {left_out}." if same else ""
    return table_with_sources(
        key="sensitivity",
        title="The headline numbers under other decisions",
        note=" ".join(filter(None, (resampling_note(cells), sentence))) if main else "",
        columns=(
            text_column("Decision"),
            *map(
                ReportColumn,
                ("Images, original", "Images, new", "Humans", "Models", "Difference", "p"),
            ),
        ),
        rows=() if main is None else map(_sensitivity_row, (main, *changed)),
    )


def _differs(row: SensitivityRow, main: SensitivityRow | None) -> bool:
    return main is None or any(
        getattr(row, name) != getattr(main, name)
        for name in ("images_original", "images_new", "humans", "models", "difference")
    )


def _sensitivity_row(row: SensitivityRow) -> tuple[str, ...]:
    def interval(group: GapGroupRow | None) -> str:
        if group is None:
            return NO_VALUE
        return format_signed_interval(group.gap, group.ci_low, group.ci_high)

    return (
        alternative_title(row.alternative),
        f"{row.images_original:,}",
        f"{row.images_new:,}",
        interval(row.humans),
        interval(row.models),
        interval(row.difference),
        NO_VALUE if row.difference is None else format_p_value(row.difference.p_value),
    )
