"""Tables of built datasets: models compared with the original, and how much harder they are."""

from collections.abc import Iterable

from labeler.core.curation.built_analyses import DifficultyModel
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.linear_fit import MIN_POINTS_FOR_INTERVAL
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    format_percent,
    format_signed,
    table_with_sources,
    text_column,
)

UNDEFINED = "undefined"

Row = Iterable[str | ReportCell]


def built_tables(cells: AccuracyIndex) -> list[ReportTable]:
    """Return the tables of all built datasets."""
    return [
        _changes(cells),
        _comparisons(cells),
        _difficulty(cells),
    ]


def _changes(cells: AccuracyIndex) -> ReportTable:
    rows = (
        (
            cells.display_name(row.participant),
            row.dataset_original,
            row.dataset_new,
            format_percent(row.accuracy_original),
            format_percent(row.accuracy_new),
            format_signed(row.gap),
            str(row.rank_original),
            str(row.rank_new),
        )
        for row in cells.contents.curation.changes
    )
    return _table(
        "built-changes",
        "Models on built datasets",
        "Top-1 accuracy in percent; gap: original minus built, in percentage points; rank 1 is the "
        "best model.",
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
            format_signed(row.mean_change),
            _line(row.models, row.linear_slope, row.linear_intercept),
            _line(row.models, row.probit_slope, row.probit_intercept),
        )
        for row in cells.contents.curation.comparisons
    )
    return _table(
        "built-comparisons",
        "Built datasets over all models",
        "The mean change of top-1 accuracy in percentage points over all models, and the lines of "
        "new against original accuracy on the linear and the probit scale, for at least "
        f"{MIN_POINTS_FOR_INTERVAL} models.",
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
        if _models_on_both(cells, row) >= MIN_POINTS_FOR_INTERVAL
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


def _models_on_both(cells: AccuracyIndex, row: DifficultyModel) -> int:
    """Return the number of models through which the line of two datasets goes."""
    pair = row.dataset_original, row.dataset_new
    models = cells.numbers.study.models
    return sum(all((m, d, ALL, Metric.TOP1) in cells.accuracy for d in pair) for m in models)


def _line(models: int, slope: float | None, intercept: float | None) -> str:
    if models < MIN_POINTS_FOR_INTERVAL or slope is None or intercept is None:
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
