"""The figure of what was chosen: two datasets against each other, or everybody in a line."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from labeler.app.results.selection import Place, Selection, members_on
from labeler.app.results.selection_table import CONVENTIONS
from labeler.core.metrics.accuracy import Accuracy, AccuracyTable
from labeler.core.metrics.definitions import Scale
from labeler.core.metrics.model_fits import ModelFit, forget_resamples, model_fits
from labeler.core.metrics.subsets import Subset
from labeler.report.accuracy_index import METRIC_TITLES, Cells
from labeler.report.cell_source_builder import Tracing
from labeler.report.figures.dot_plot import Dots, draw_dots
from labeler.report.figures.figure import Drawn, Sketch, house_style
from labeler.report.figures.scatter_plot import Point, Scatter, draw_scatter


def chosen_figure(
    cells: Cells,
    tracing: Tracing,
    subset: Subset,
    selection: Selection,
    found: Mapping[Place, Accuracy],
) -> Drawn | None:
    """Of the one subset; None without anything to draw."""
    draw = _against_each_other if len(selection.datasets) == 2 else _in_a_line
    with house_style():
        sketch = draw(cells, tracing, subset, selection, found)
        return None if sketch is None else sketch.drawn()


def _against_each_other(
    cells: Cells,
    tracing: Tracing,
    subset: Subset,
    selection: Selection,
    found: Mapping[Place, Accuracy],
) -> Sketch | None:
    original, new = selection.datasets
    about = Scatter(
        key="chosen",
        title=f"{_name(subset, selection)}: {new} against {original}",
        words=f"Bars are 95 % intervals; {CONVENTIONS[selection.convention]}. Below the dashed "
        f"line a participant does worse on {new}.",
        x_label=f"{original}, %",
        y_label=f"{new}, %",
        fit=_fit(cells, subset, selection),
    )
    points = [
        Point(cells.called(code), x, y)
        for code in selection.participants
        if (x := found.get((code, original, subset.key))) is not None
        and (y := found.get((code, new, subset.key))) is not None
    ]
    return draw_scatter(points, about, tracing)


def _name(subset: Subset, selection: Selection) -> str:
    return f"{METRIC_TITLES[selection.metric]} accuracy, {subset.title.lower()}"


def _in_a_line(
    cells: Cells,
    tracing: Tracing,
    subset: Subset,
    selection: Selection,
    found: Mapping[Place, Accuracy],
) -> Sketch | None:
    rows = [
        (cells.called(code), row)
        for code in selection.participants
        for dataset in selection.datasets
        if (row := found.get((code, dataset, subset.key))) is not None
    ]
    about = Dots(
        key="chosen",
        title=_name(subset, selection),
        words=f"Bars are 95 % intervals; {CONVENTIONS[selection.convention]}.",
        x_label=f"{METRIC_TITLES[selection.metric].lower()} accuracy, %",
    )
    return draw_dots(rows, about, tracing)


def _fit(cells: Cells, subset: Subset, selection: Selection) -> ModelFit | None:
    """Over the chosen models; averages per class have no counts to fit."""
    if selection.convention.per_class:
        return None
    tables = [_table(cells, dataset, subset, selection) for dataset in selection.datasets]
    seed = cells.numbers.settings.seed
    fits = model_fits(tables[0], tables[1], seed=seed, times=cells.numbers.settings.resamples)
    found = next((fit for fit in fits if fit.scale is Scale.LINEAR), None)
    forget_resamples()
    return found


def _table(cells: Cells, dataset: str, subset: Subset, selection: Selection) -> AccuracyTable:
    scored = next(s for s in cells.numbers.scored if s.name == dataset)
    table = members_on(cells.contents, scored, subset).table(selection.metric, selection.convention)
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
