"""Accuracies of all participants in rows, for one dataset or more than two."""

from collections.abc import Sequence
from dataclasses import dataclass

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.cell_source import EvaluationSource
from labeler.core.study.entities import ParticipantKind
from labeler.report.cell_source_builder import CellSourceBuilder
from labeler.report.figures.figure import (
    KIND_COLOURS,
    KIND_MARKERS,
    KIND_NAMES,
    FigureDraft,
    FigureMark,
    make_axes,
    shorten_name,
    wrap_label,
)
from labeler.report.table import format_with_interval

_SHAPES = ("o", "s", "^", "D", "v", "P", "X")
_ROW, _FEWEST_ROWS = 0.22, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DotPlot:
    """The texts of the figure."""

    key: str
    title: str
    words: str
    x_label: str


def draw_dot_plot(
    rows: Sequence[tuple[str, Accuracy]], about: DotPlot, tracing: CellSourceBuilder
) -> FigureDraft | None:
    """Draw the rows, best first by the first dataset; shape by dataset, colour by kind."""
    if not rows:
        return None
    datasets = list(dict.fromkeys(row.dataset for _name, row in rows))
    names = _best_first(rows)
    figure, ax = make_axes(5.6, 1.4 + _ROW * max(len(names), _FEWEST_ROWS))
    marks = [
        _mark(name, row, names.index(name), datasets, tracing.accuracies(row)) for name, row in rows
    ]
    labelled: set[str] = set()
    for point, (_name, row) in zip(marks, rows, strict=True):
        label = _label(row, datasets)
        ax.errorbar(
            point.x,
            point.y,
            xerr=[[max(0, point.x - 100 * row.ci_low)], [max(0, 100 * row.ci_high - point.x)]],
            fmt=_shape(row, datasets),
            color=KIND_COLOURS[row.kind],
            mec="white",
            mew=0.5,
            ms=5,
            elinewidth=0.7,
            label="" if label in labelled else label,
        )
        labelled.add(label)
    ax.set_yticks(range(len(names)), [shorten_name(name) for name in names])
    ax.set(xlabel=wrap_label(about.x_label), ylim=(len(names) - 0.4, -0.6))
    figure.legend(loc="outside lower center", ncols=3)
    return FigureDraft(figure, about.key, about.title, about.words, marks)


def _best_first(rows: Sequence[tuple[str, Accuracy]]) -> list[str]:
    best: dict[str, float] = {}
    for name, row in rows:
        best.setdefault(name, row.accuracy)
    return sorted(best, key=lambda name: -best[name])


def _mark(
    name: str,
    row: Accuracy,
    row_number: int,
    datasets: Sequence[str],
    source: EvaluationSource | None,
) -> FigureMark:
    offset = 0.5 * (datasets.index(row.dataset) + 0.5) / len(datasets) - 0.25
    value_text = f"{row.dataset} {format_with_interval(row.accuracy, row.ci_low, row.ci_high)} %"
    return FigureMark(
        100 * row.accuracy, row_number + offset, f"{name}\n{value_text}, n = {row.total:,}", source
    )


def _shape(row: Accuracy, datasets: Sequence[str]) -> str:
    """Return the shape of a dataset, or with a single dataset that of the kind."""
    if len(datasets) == 1:
        return KIND_MARKERS[row.kind]
    return _SHAPES[datasets.index(row.dataset) % len(_SHAPES)]


def _label(row: Accuracy, datasets: Sequence[str]) -> str:
    kind = KIND_NAMES[ParticipantKind(row.kind)]
    return kind if len(datasets) == 1 else f"{kind}, {shorten_name(row.dataset)}"
