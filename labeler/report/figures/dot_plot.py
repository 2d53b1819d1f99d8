"""Everybody's accuracy one below the other, for one dataset or for more than two."""

from collections.abc import Sequence
from dataclasses import dataclass

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.cell_source import Behind
from labeler.core.study.entities import ParticipantKind
from labeler.report.cell_source_builder import Tracing
from labeler.report.figures.figure import COLOURS, MARKERS, NAMES, Mark, Sketch, axes
from labeler.report.figures.short_names import LONGEST_LABEL, short
from labeler.report.table import with_interval

_SHAPES = ("o", "s", "^", "D", "v", "P", "X")
_ROW, _FEWEST_ROWS = 0.22, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """What the figure shows and says."""

    key: str
    title: str
    words: str
    x_label: str


def draw_dots(rows: Sequence[tuple[str, Accuracy]], about: Dots, tracing: Tracing) -> Sketch | None:
    """The best on top, by the first dataset; a dataset has its shape, a kind its colour."""
    if not rows:
        return None
    datasets = list(dict.fromkeys(row.dataset for _name, row in rows))
    names = _best_first(rows)
    figure, ax = axes(5.6, 1.4 + _ROW * max(len(names), _FEWEST_ROWS))
    placed = [
        _place(name, row, names.index(name), datasets, tracing.accuracies(row))
        for name, row in rows
    ]
    labelled: set[str] = set()
    for point, (_name, row) in zip(placed, rows, strict=True):
        label = _label(row, datasets)
        ax.errorbar(
            point.x,
            point.y,
            xerr=[[max(0, point.x - 100 * row.ci_low)], [max(0, 100 * row.ci_high - point.x)]],
            fmt=_shape(row, datasets),
            color=COLOURS[row.kind],
            mec="white",
            mew=0.5,
            ms=5,
            elinewidth=0.7,
            label="" if label in labelled else label,
        )
        labelled.add(label)
    ax.set_yticks(range(len(names)), [short(name) for name in names])
    ax.set(xlabel=short(about.x_label, LONGEST_LABEL), ylim=(len(names) - 0.4, -0.6))
    figure.legend(loc="outside lower center", ncols=3)
    return Sketch(figure, about.key, about.title, about.words, placed)


def _best_first(rows: Sequence[tuple[str, Accuracy]]) -> list[str]:
    best: dict[str, float] = {}
    for name, row in rows:
        best.setdefault(name, row.accuracy)
    return sorted(best, key=lambda name: -best[name])


def _place(
    name: str, row: Accuracy, line: int, datasets: Sequence[str], behind: Behind | None
) -> Mark:
    apart = 0.5 * (datasets.index(row.dataset) + 0.5) / len(datasets) - 0.25
    told = f"{row.dataset} {with_interval(row.accuracy, row.ci_low, row.ci_high)} %"
    return Mark(100 * row.accuracy, line + apart, f"{name}\n{told}, n = {row.total:,}", behind)


def _shape(row: Accuracy, datasets: Sequence[str]) -> str:
    """A dataset's own; where there is one alone, the kind's, as in every other figure."""
    if len(datasets) == 1:
        return MARKERS[row.kind]
    return _SHAPES[datasets.index(row.dataset) % len(_SHAPES)]


def _label(row: Accuracy, datasets: Sequence[str]) -> str:
    kind = NAMES[ParticipantKind(row.kind)]
    return kind if len(datasets) == 1 else f"{kind}, {short(row.dataset)}"
