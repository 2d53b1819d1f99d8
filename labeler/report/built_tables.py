"""Tables of built datasets: selection frequencies, and models compared with the original."""

from collections.abc import Iterable
from typing import TypeVar

from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    format_percent,
    format_with_interval,
    table_with_sources,
    text_column,
)

UNDEFINED = "undefined"

Row = Iterable[str | ReportCell]
Counted = TypeVar("Counted")


def built_tables(cells: AccuracyIndex) -> list[ReportTable]:
    """Return the tables of all built datasets."""
    return [
        _frequencies(cells),
        _accuracy_by_bin(cells),
        _changes(cells),
        _comparisons(cells),
        _difficulty(cells),
    ]


def _frequencies(cells: AccuracyIndex) -> ReportTable:
    contents = cells.contents
    rows = (
        (
            row.dataset,
            "" if row.revision is None else str(row.revision),
            f"{row.images:,}",
            NO_VALUE
            if row.mean is None or row.ci_low is None or row.ci_high is None
            else format_with_interval(row.mean, row.ci_low, row.ci_high),
        )
        for row in _with_originals(contents.crowd.frequencies, contents.curation.frequencies)
        if row.label is None
    )
    return _table(
        "built-frequencies",
        "Mean selection frequency",
        "In percent, of images for their own class, with 95 % bootstrap intervals over images.",
        ("Dataset", "Revision"),
        ("Images", "Mean frequency"),
        rows=rows,
    )


def _with_originals(originals: Iterable[Counted], built: Iterable[Counted]) -> list[Counted]:
    """Return the rows of built datasets after those to compare them with."""
    new = list(built)
    return [*originals, *new] if new else []


def _accuracy_by_bin(cells: AccuracyIndex) -> ReportTable:
    contents = cells.contents
    rows = (
        (
            cells.display_name(row.participant),
            row.dataset,
            f"{row.bin_low:.1f}–{row.bin_high:.1f}",
            format_percent(row.correct / row.total),
            f"{row.total:,}",
        )
        for row in _with_originals(
            contents.crowd.accuracy_by_bin, contents.curation.accuracy_by_bin
        )
    )
    return _table(
        "built-accuracy-by-bin",
        "Accuracy by selection frequency",
        "Top-1 accuracy in percent on images whose target was selected by this share of "
        "annotators.",
        ("Participant", "Dataset", "Selection frequency"),
        ("Accuracy", "Images"),
        rows=rows,
    )


def _changes(cells: AccuracyIndex) -> ReportTable:
    rows = (
        (
            cells.display_name(row.participant),
            row.dataset_original,
            row.dataset_new,
            format_percent(row.accuracy_original),
            format_percent(row.accuracy_new),
            format_percent(row.gap),
            str(row.rank_original),
            str(row.rank_new),
        )
        for row in cells.contents.curation.changes
    )
    return _table(
        "built-changes",
        "Models on built datasets",
        "Top-1 accuracy and gap in percent; rank 1 is the best model.",
        ("Model", "Original", "Built dataset"),
        ("Original accuracy", "New accuracy", "Gap", "Original rank", "New rank"),
        rows=rows,
    )


def _comparisons(cells: AccuracyIndex) -> ReportTable:
    rows = (
        (
            row.dataset_new,
            f"{row.built}, revision {row.revision}",
            row.dataset_original,
            str(row.models),
            format_percent(row.mean_change),
            _line(row.linear_slope, row.linear_intercept),
            _line(row.probit_slope, row.probit_intercept),
        )
        for row in cells.contents.curation.comparisons
    )
    return _table(
        "built-comparisons",
        "Built datasets over all models",
        "The mean change of top-1 accuracy in percentage points over all models, and the lines of "
        "new against original accuracy on the linear and the probit scale.",
        ("Dataset", "Built as", "Original"),
        ("Models", "Mean change", "Linear fit", "Probit fit"),
        rows=rows,
    )


def _difficulty(cells: AccuracyIndex) -> ReportTable:
    rows = (
        (
            row.dataset_original,
            row.dataset_new,
            f"{row.u:.3f}",
            f"{row.v:.3f}",
            UNDEFINED if row.sigma_new is None else f"{row.sigma_new:.3f}",
            UNDEFINED if row.mu_new is None else f"{row.mu_new:.3f}",
        )
        for row in cells.contents.curation.difficulty_models
    )
    return _table(
        "built-difficulty",
        "Difficulty model",
        "A model's skill s gives Φ⁻¹(accuracy) = (s − μ)/√(σ² + 1). Slope u and offset v relate "
        "both datasets; σ and μ of the new one follow from σ = 1 and μ = 0 for the original, and "
        "are undefined if 2/u² is less than 1.",
        ("Original", "New"),
        ("u", "v", "σ new", "μ new"),
        rows=rows,
    )


def _line(slope: float | None, intercept: float | None) -> str:
    if slope is None or intercept is None:
        return NO_VALUE
    return f"{slope:.3f} x {'+' if intercept >= 0 else '−'} {abs(intercept):.3f}"


def _table(
    key: str,
    title: str,
    note: str,
    texts: tuple[str, ...],
    numbers: tuple[str, ...],
    *,
    rows: Iterable[Row],
) -> ReportTable:
    columns = (*map(text_column, texts), *map(ReportColumn, numbers))
    return table_with_sources(key=key, title=title, note=note, columns=columns, rows=rows)
