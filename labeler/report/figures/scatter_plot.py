"""One accuracy against another: humans and models as points with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.definitions import Scale
from labeler.core.metrics.model_fits import ModelFit
from labeler.core.statistics.linear_fit import MIN_POINTS_FOR_INTERVAL
from labeler.core.statistics.proportions import to_probit
from labeler.core.study.entities import ParticipantKind
from labeler.report.cell_source_builder import CellSourceBuilder
from labeler.report.figures.figure import (
    FAINT,
    INK,
    KIND_COLOURS,
    KIND_MARKERS,
    KIND_NAMES,
    MUTED,
    AxesLimits,
    FigureDraft,
    FigureMark,
    make_axes,
    wrap_label,
)
from labeler.report.figures.point_labels import LabeledPoint, label_points
from labeler.report.published_results import PublishedPoint
from labeler.report.table import format_with_interval

# With more models, only the best and worst are named.
_MODELS_NAMED = 14
# Probit axes use the first of these with at least three visible ticks.
_TICKS = (
    (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995),
    tuple(n / 100 for n in range(1, 100)),
    tuple(n / 1000 for n in range(2, 999, 2)),
)


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """A participant with the accuracies on both axes."""

    name: str
    x: Accuracy
    y: Accuracy


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterPlot:
    """The texts and data of the figure."""

    key: str
    title: str
    words: str
    x_label: str
    y_label: str
    scale: Scale = Scale.LINEAR
    fit: ModelFit | None = None
    published: Sequence[PublishedPoint] = ()


def draw_scatter_plot(
    points: Sequence[ScatterPoint], about: ScatterPlot, tracing: CellSourceBuilder
) -> FigureDraft | None:
    """Draw the figure, or return None without points."""
    if not points:
        return None
    figure, ax = make_axes(4.7, 4.25)
    low, high = _range(points, about)
    _cloud(ax, about)
    ax.plot([low, high], [low, high], color=MUTED, lw=0.8, ls=(0, (5, 4)), label="equal")
    if about.fit is not None:
        _line(ax, about.fit, *_reach(points, about, low, high))
    for kind in ParticipantKind:
        _points(ax, [p for p in points if p.x.kind is kind], kind, about.scale)
    ax.set(xlabel=wrap_label(about.x_label), ylabel=wrap_label(about.y_label))
    ax.set(xlim=(low, high), ylim=(low, high))
    ax.set_aspect("equal", adjustable="box")
    figure.legend(loc="outside lower center", ncols=2 if about.published else 3, handlelength=1.6)
    named = [_named(point, about.scale) for point in points]
    labeler = _PointLabeler(figure, ax, points, named, about.scale)
    labeler(None)
    marks = [
        FigureMark(where.x, where.y, _tooltip(point, about), tracing.accuracies(point.x, point.y))
        for where, point in zip(named, points, strict=True)
    ]
    return FigureDraft(figure, about.key, about.title, about.words, marks, rename=labeler)


class _PointLabeler:
    """Labels the visible points and sets the ticks; the fewer points, the more get a name."""

    def __init__(
        self,
        figure: Figure,
        ax: Axes,
        points: Sequence[ScatterPoint],
        named: Sequence[LabeledPoint],
        scale: Scale,
    ) -> None:
        self._figure, self._axes, self._scale = figure, ax, scale
        self._both = list(zip(points, named, strict=True))
        self._written: list[Annotation] = []

    def __call__(self, limits: AxesLimits | None) -> None:
        """Label the points within the limits, or all points."""
        for old in self._written:
            old.remove()
        _ticks(self._axes, self._scale)
        both = [(p, n) for p, n in self._both if limits is None or _within(n, limits)]
        shown = _shown([point for point, _named in both])
        self._written = label_points(self._figure, self._axes, [n for _p, n in both], shown)


def _within(point: LabeledPoint, limits: AxesLimits) -> bool:
    across = limits.left <= point.x <= limits.right
    return across and limits.bottom <= point.y <= limits.top


def _tooltip(point: ScatterPoint, about: ScatterPlot) -> str:
    """Return the tooltip of a point."""
    across, up = (
        f"{axis.removesuffix(', %')} "
        f"{format_with_interval(row.accuracy, row.ci_low, row.ci_high)} %, "
        f"n = {row.total:,}"
        for axis, row in ((about.x_label, point.x), (about.y_label, point.y))
    )
    return f"{point.name}\n{across}\n{up}"


def _named(point: ScatterPoint, scale: Scale) -> LabeledPoint:
    left, right, bottom, top = (
        _at(end, scale) for row in (point.x, point.y) for end in (row.ci_low, row.ci_high)
    )
    at = _at(point.x.accuracy, scale), _at(point.y.accuracy, scale)
    return LabeledPoint(*at, point.name, _ink(point), (left, right, bottom, top))


def _ink(point: ScatterPoint) -> str:
    return KIND_COLOURS[ParticipantKind.HUMAN] if point.x.kind is ParticipantKind.HUMAN else INK


def _shown(points: Sequence[ScatterPoint]) -> set[str]:
    humans = {p.name for p in points if p.x.kind is ParticipantKind.HUMAN}
    models = sorted((p for p in points if p.name not in humans), key=lambda p: p.x.accuracy)
    if len(models) > _MODELS_NAMED:
        models = models[:3] + models[-4:]
    return humans | {p.name for p in models}


def _at(share: float, scale: Scale) -> float:
    if scale is Scale.LINEAR:
        return 100 * share
    return float(to_probit(min(max(share, 0.002), 0.998)))


def _range(points: Sequence[ScatterPoint], about: ScatterPlot) -> tuple[float, float]:
    ends = [v for p in points for row in (p.x, p.y) for v in (row.ci_low, row.ci_high)]
    ends += [v for p in about.published for v in (p.x, p.y) if v > min(ends)]
    low, high = (_at(v, about.scale) for v in (min(ends), max(ends)))
    margin = 0.04 * (high - low) or 1.0
    return low - margin, high + margin


def _cloud(ax: Axes, about: ScatterPlot) -> None:
    """Draw published results, faint in the background, with their own line."""
    if not about.published:
        return
    x = np.array([_at(p.x, about.scale) for p in about.published])
    y = np.array([_at(p.y, about.scale) for p in about.published])
    label = f"{len(x):,} models as published, not measured here"
    ax.scatter(x, y, s=5, color=FAINT, lw=0, zorder=1, label=label)
    if len(x) > 1 and np.ptp(x) > 0:
        slope, intercept = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        ax.plot(ends, slope * ends + intercept, color=FAINT, lw=1.0, zorder=1)


def _reach(
    points: Sequence[ScatterPoint], about: ScatterPlot, low: float, high: float
) -> tuple[float, float]:
    """Return the range of the line: with few models it is only drawn near them."""
    models = [_at(p.x.accuracy, about.scale) for p in points if p.x.kind is ParticipantKind.MODEL]
    if len(models) >= MIN_POINTS_FOR_INTERVAL:
        return low, high
    margin = 0.05 * (high - low)
    return min(models) - margin, max(models) + margin


def _line(ax: Axes, fit: ModelFit, low: float, high: float) -> None:
    factor = 100.0 if fit.scale is Scale.LINEAR else 1.0
    x = np.array([low, high]) / factor
    colour = KIND_COLOURS[ParticipantKind.MODEL]
    ax.plot(
        x * factor,
        (fit.slope * x + fit.intercept) * factor,
        color=colour,
        lw=1.3,
        label="fit over the models",
    )
    if fit.region is not None:
        region = fit.region
        ax.fill_between(
            np.array(region.x) * factor,
            np.array(region.low) * factor,
            np.array(region.high) * factor,
            color=colour,
            alpha=0.18,
            lw=0,
            label="95 % bootstrap region",
        )


def _points(ax: Axes, points: Sequence[ScatterPoint], kind: ParticipantKind, scale: Scale) -> None:
    if not points:
        return
    x, y = ([_at(row.accuracy, scale) for row in rows] for rows in _columns(points))
    x_ends, y_ends = (
        [
            [at - _at(row.ci_low, scale) for at, row in zip(values, rows, strict=True)],
            [_at(row.ci_high, scale) - at for at, row in zip(values, rows, strict=True)],
        ]
        for values, rows in zip((x, y), _columns(points), strict=True)
    )
    many = len(points) > _MODELS_NAMED
    ax.errorbar(
        x,
        y,
        xerr=np.maximum(x_ends, 0),
        yerr=np.maximum(y_ends, 0),
        fmt=KIND_MARKERS[kind],
        ms=4 if many else 5,
        color=KIND_COLOURS[kind],
        mec="white",
        mew=0.5,
        elinewidth=0.4 if many else 0.7,
        alpha=0.85,
        zorder=4 if kind is ParticipantKind.HUMAN else 3,
        label=KIND_NAMES[kind],
    )


def _columns(points: Sequence[ScatterPoint]) -> tuple[list[Accuracy], list[Accuracy]]:
    return [p.x for p in points], [p.y for p in points]


def _ticks(ax: Axes, scale: Scale) -> None:
    """Set percentage ticks on probit axes; linear axes have their own."""
    if scale is Scale.LINEAR:
        return
    for axis, ends in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
        found = [[s for s in shares if ends[0] <= _at(s, scale) <= ends[1]] for shares in _TICKS]
        shown = next((shares for shares in found if len(shares) >= 3), found[-1])
        axis.set_ticks([_at(s, scale) for s in shown], labels=[f"{100 * s:g}" for s in shown])
