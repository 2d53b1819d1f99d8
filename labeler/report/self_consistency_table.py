"""The table of how consistently people answered what they were asked twice."""

from labeler.core.statistics.self_consistency import RepeatedTask, SelfConsistency
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportColumn,
    ReportTable,
    format_p_value,
    format_percent,
    format_signed,
    format_with_interval,
    table_with_sources,
    text_column,
)

_TASKS = {
    RepeatedTask.EVALUATION: "evaluation",
    RepeatedTask.INITIAL_REVIEW: "initial review",
    RepeatedTask.FINAL_REVIEW: "final review",
}
assert _TASKS.keys() == set(RepeatedTask)


def self_consistency_table(cells: AccuracyIndex) -> ReportTable:
    return table_with_sources(
        key="self-consistency",
        title="Consistency of people with themselves",
        note="Images (evaluation) and labels (review) that a person was asked twice without "
        "knowing, and how many got the same answer, with the exact 95 % Clopper–Pearson interval. "
        "Earlier and later: the two halves of the repeats in time; p by Fisher’s exact test.",
        columns=(
            *map(text_column, ("Participant", "Task")),
            *map(
                ReportColumn,
                ("Asked twice", "Same answer", "Kappa", "Earlier", "Later", "Change", "p"),
            ),
        ),
        rows=(_row(cells, found) for found in cells.contents.self_consistency),
    )


def _row(cells: AccuracyIndex, found: SelfConsistency) -> tuple[str, ...]:
    return (
        cells.display_name(found.participant),
        _TASKS[found.task],
        f"{found.pairs:,}",
        format_with_interval(found.share, found.ci_low, found.ci_high),
        NO_VALUE if found.kappa is None else f"{found.kappa:.3f}".replace("-", "−"),
        _half(found.earlier_same, found.earlier_pairs),
        _half(found.later_same, found.later_pairs),
        NO_VALUE if found.change is None else format_signed(found.change),
        NO_VALUE if found.p_value is None else format_p_value(found.p_value),
    )


def _half(same: int, pairs: int) -> str:
    return format_percent(same / pairs) if pairs else NO_VALUE
