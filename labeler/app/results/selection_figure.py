"""The figure of the selection: two datasets against each other, or all participants in rows."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from labeler.app.results.selection import MetricCell, Selection, scored_members
from labeler.app.results.selection_table import CONVENTION_HEADINGS
from labeler.core.metrics.accuracy import Accuracy, AccuracyTable
from labeler.core.metrics.definitions import Scale
from labeler.core.metrics.model_fits import ModelFit, clear_resample_cache, model_fits
from labeler.core.metrics.subsets import Subset
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.cell_source_builder import CellSourceBuilder
from labeler.report.figures.dot_plot import DotPlot, draw_dot_plot
from labeler.report.figures.figure import FigureDraft, RenderedFigure, figure_style
from labeler.report.figures.scatter_plot import ScatterPlot, ScatterPoint, draw_scatter_plot


def draw_selection_figure(
    cells: AccuracyIndex,
    tracing: CellSourceBuilder,
    subset: Subset,
    selection: Selection,
    found: Mapping[MetricCell, Accuracy],
) -> RenderedFigure | None:
    """Draw one subset; None if there is nothing to draw."""
    draw = _scatter_figure if len(selection.datasets) == 2 else _line_figure
    with figure_style():
        draft = draw(cells, tracing, subset, selection, found)
        return None if draft is None else draft.drawn()


def _scatter_figure(
    cells: AccuracyIndex,
    tracing: CellSourceBuilder,
    subset: Subset,
    selection: Selection,
    found: Mapping[MetricCell, Accuracy],
) -> FigureDraft | None:
    original, new = selection.datasets
    about = ScatterPlot(
        key="chosen",
        title=f"{_name(subset, selection)}: {new} against {original}",
        words=f"Bars are 95 % intervals; {CONVENTION_HEADINGS[selection.convention]}. Participants "
        f"below the dashed line do worse on {new}.",
        x_label=f"{original}, %",
        y_label=f"{new}, %",
        fit=_fit(cells, subset, selection),
    )
    points = [
        ScatterPoint(cells.display_name(code), x, y)
        for code in selection.participants
        if (x := found.get((code, original, subset.key))) is not None
        and (y := found.get((code, new, subset.key))) is not None
    ]
    return draw_scatter_plot(points, about, tracing)


def _name(subset: Subset, selection: Selection) -> str:
    return f"{METRIC_TITLES[selection.metric]} accuracy, {subset.title.lower()}"


def _line_figure(
    cells: AccuracyIndex,
    tracing: CellSourceBuilder,
    subset: Subset,
    selection: Selection,
    found: Mapping[MetricCell, Accuracy],
) -> FigureDraft | None:
    rows = [
        (cells.display_name(code), row)
        for code in selection.participants
        for dataset in selection.datasets
        if (row := found.get((code, dataset, subset.key))) is not None
    ]
    about = DotPlot(
        key="chosen",
        title=_name(subset, selection),
        words=f"Bars are 95 % intervals; {CONVENTION_HEADINGS[selection.convention]}.",
        x_label=f"{METRIC_TITLES[selection.metric].lower()} accuracy, %",
    )
    return draw_dot_plot(rows, about, tracing)


def _fit(cells: AccuracyIndex, subset: Subset, selection: Selection) -> ModelFit | None:
    """Fit the selected models; averages per class have no counts to fit."""
    if selection.convention.per_class:
        return None
    tables = [_table(cells, dataset, subset, selection) for dataset in selection.datasets]
    seed = cells.numbers.settings.seed
    fits = model_fits(tables[0], tables[1], seed=seed, times=cells.numbers.settings.resamples)
    found = next((fit for fit in fits if fit.is_shown and fit.scale is Scale.LINEAR), None)
    clear_resample_cache()
    return found


def _table(
    cells: AccuracyIndex, dataset: str, subset: Subset, selection: Selection
) -> AccuracyTable:
    scored = next(s for s in cells.numbers.scored if s.name == dataset)
    table = scored_members(cells.contents, scored, subset).table(
        selection.metric, selection.convention
    )
    chosen = [n for n, code in enumerate(table.participants) if code in selection.participants]
    rows = np.array(chosen, np.int64)
    return replace(
        table,
        participants=tuple(table.participants[n] for n in chosen),
        humans=int(np.count_nonzero(rows < table.humans)),
        correct=table.correct[rows],
        total=table.total[rows],
        share=table.share[rows],
        low=table.low[rows],
        high=table.high[rows],
    )
