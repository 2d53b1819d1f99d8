"""Calibration: humans' accuracy by confidence, next to models' accuracy by probability."""

from collections.abc import Sequence
from itertools import cycle

from matplotlib.axes import Axes

from labeler.core.metrics.calibration import ConfidenceStep, ReliabilityBin
from labeler.core.study.entities import CONFIDENCE_LEVELS, ParticipantKind
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.calibration_tables import bin_source, step_source
from labeler.report.figures.figure import (
    FEW_IMAGES_LEFT_OUT,
    FEWEST_IMAGES,
    KIND_COLOURS,
    KIND_MARKERS,
    MUTED,
    FigureDraft,
    FigureMark,
    make_axes,
    shorten_name,
)
from labeler.report.table import format_with_interval

_DASHES = ("-", "--", ":", "-.")
# More models are drawn as faint lines, with a line for all of them together.
_MODELS_WITH_MARKS = 6


def draw_confidence(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw the accuracy of all humans' answers by step of confidence, a line per dataset."""
    steps = [
        row
        for row in cells.numbers.confidence_steps
        if row.metric is cells.main_metric and row.total >= FEWEST_IMAGES
    ]
    if not steps:
        return None
    figure, ax = make_axes(4.6, 3.6)
    datasets = list(dict.fromkeys(row.dataset for row in steps))
    marks: list[FigureMark] = []
    for number, dataset in enumerate(datasets):
        own = [row for row in steps if row.dataset == dataset]
        # Datasets next to each other, so that no interval covers another.
        x = [row.confidence + 0.08 * (number - (len(datasets) - 1) / 2) for row in own]
        _draw_steps(ax, x, own, _DASHES[number % len(_DASHES)])
        marks += [
            FigureMark(at, 100 * row.accuracy, _step_words(row), step_source(cells, row))
            for at, row in zip(x, own, strict=True)
        ]
    _draw_assigned(ax, steps)
    ax.set_xticks(range(1, CONFIDENCE_LEVELS + 1))
    ax.set(
        xlabel="confidence, from 1 to 5",
        ylabel=_axis(cells),
        xlim=(0.6, CONFIDENCE_LEVELS + 0.4),
    )
    figure.legend(loc="outside lower center", ncols=2)
    words = f"All humans, with 95 % intervals from resampled images. {FEW_IMAGES_LEFT_OUT}"
    return FigureDraft(figure, "confidence-steps", "Humans by confidence", words, marks)


def _draw_assigned(ax: Axes, steps: Sequence[ConfidenceStep]) -> None:
    """Draw the probabilities that the lead assigned to the steps in advance, if any."""
    assigned = {
        row.confidence: 100 * row.assigned_probability
        for row in steps
        if row.assigned_probability is not None
    }
    if assigned:
        x = sorted(assigned)
        y = [assigned[step] for step in x]
        ax.plot(x, y, ls="", marker="_", ms=14, mew=1.4, color=MUTED, label="assigned in advance")


def _draw_steps(ax: Axes, x: Sequence[float], rows: Sequence[ConfidenceStep], dashes: str) -> None:
    kind = ParticipantKind.HUMAN
    ax.errorbar(
        x,
        [100 * row.accuracy for row in rows],
        yerr=[
            [100 * max(0, row.accuracy - row.ci_low) for row in rows],
            [100 * max(0, row.ci_high - row.accuracy) for row in rows],
        ],
        ls=dashes,
        marker=KIND_MARKERS[kind],
        color=KIND_COLOURS[kind],
        ms=4.5,
        lw=1.1,
        elinewidth=0.8,
        label=shorten_name(rows[0].dataset),
    )


def _step_words(row: ConfidenceStep) -> str:
    share = format_with_interval(row.accuracy, row.ci_low, row.ci_high)
    return f"{row.dataset}, confidence {row.confidence}\n{share} %, {row.total:,} answers"


def draw_reliability(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw each model's accuracy against the mean probability of its first guesses."""
    bins = [
        row
        for row in cells.numbers.reliability
        if row.metric is cells.main_metric and row.total >= FEWEST_IMAGES
    ]
    if not bins:
        return None
    figure, ax = make_axes(4.6, 3.6)
    ax.plot([0, 100], [0, 100], color=MUTED, lw=0.8, ls=(0, (5, 4)), label="calibrated")
    many = len({row.participant for row in bins}) > _MODELS_WITH_MARKS
    for dashes, dataset in zip(
        cycle(_DASHES), dict.fromkeys(row.dataset for row in bins), strict=False
    ):
        own = [row for row in bins if row.dataset == dataset]
        for number, model in enumerate(dict.fromkeys(row.participant for row in own)):
            points = [_point([row]) for row in own if row.participant == model]
            label = f"models, {shorten_name(dataset)}" if not number and not many else ""
            _draw_line(ax, points, ls=dashes, label=label, faint=many)
        if many:
            label = f"all models, {shorten_name(dataset)}"
            pooled = [[r for r in own if r.above == tenth] for tenth in {r.above for r in own}]
            _draw_line(ax, sorted(map(_point, pooled)), ls=dashes, label=label)
    ax.set(xlabel="mean probability of the first guess, %", ylabel=_axis(cells))
    ax.set(xlim=(0, 100), ylim=(0, 100))
    figure.legend(loc="outside lower center", ncols=1 if many else 2)
    line = "A faint line per model, and one for all together" if many else "A line per model"
    words = f"{line}, in tenths of probability. {FEW_IMAGES_LEFT_OUT}"
    marks = [_bin_mark(cells, row) for row in bins]
    return FigureDraft(figure, "reliability", "Models by probability", words, marks)


def _point(rows: Sequence[ReliabilityBin]) -> tuple[float, float]:
    """Return mean probability and accuracy in percent, over all images of the bins."""
    total = sum(row.total for row in rows)
    probability = sum(row.mean_probability * row.total for row in rows) / total
    return 100 * probability, 100 * sum(row.correct for row in rows) / total


def _draw_line(
    ax: Axes, points: Sequence[tuple[float, float]], *, ls: str, label: str, faint: bool = False
) -> None:
    kind = ParticipantKind.MODEL
    ax.plot(
        *zip(*points, strict=True),
        ls=ls,
        marker=None if faint else KIND_MARKERS[kind],
        color=KIND_COLOURS[kind],
        ms=4,
        lw=0.5 if faint else 1.2,
        alpha=0.25 if faint else 0.95,
        label=label or "_nolegend_",
    )


def _bin_mark(cells: AccuracyIndex, row: ReliabilityBin) -> FigureMark:
    share = format_with_interval(row.accuracy, row.ci_low, row.ci_high)
    words = (
        f"{cells.display_name(row.participant)}, {row.dataset}\n"
        f"probability {100 * row.mean_probability:.1f} %\n{share} %, n = {row.total:,}"
    )
    return FigureMark(100 * row.mean_probability, 100 * row.accuracy, words, bin_source(cells, row))


def _axis(cells: AccuracyIndex) -> str:
    return f"{METRIC_TITLES[cells.main_metric].lower()} accuracy, %"
