"""Calibration: humans' accuracy by confidence, next to models' accuracy by probability."""

from collections.abc import Sequence

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
# More models are drawn as faint lines without marks.
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
    ax.set_xticks(range(1, CONFIDENCE_LEVELS + 1))
    ax.set(
        xlabel="confidence, from 1 to 5",
        ylabel=_axis(cells),
        xlim=(0.6, CONFIDENCE_LEVELS + 0.4),
    )
    figure.legend(loc="outside lower center", ncols=2)
    words = f"All humans, with 95 % intervals from resampled images. {FEW_IMAGES_LEFT_OUT}"
    return FigureDraft(figure, "confidence-steps", "Humans by confidence", words, marks)


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
    datasets = list(dict.fromkeys(row.dataset for row in bins))
    models = list(dict.fromkeys(row.participant for row in bins))
    faint = len(models) > _MODELS_WITH_MARKS
    marks: list[FigureMark] = []
    for number, dataset in enumerate(datasets):
        label = f"models, {shorten_name(dataset)}"
        for model in models:
            own = [r for r in bins if (r.participant, r.dataset) == (model, dataset)]
            ax.plot(
                [100 * row.mean_probability for row in own],
                [100 * row.accuracy for row in own],
                ls=_DASHES[number % len(_DASHES)],
                marker=None if faint else KIND_MARKERS[ParticipantKind.MODEL],
                color=KIND_COLOURS[ParticipantKind.MODEL],
                ms=4,
                lw=0.6 if faint else 1.1,
                alpha=0.45 if faint else 0.9,
                label=label if own else "",
            )
            label = label if not own else ""
            marks += [_bin_mark(cells, row) for row in own]
    ax.set(xlabel="mean probability of the first guess, %", ylabel=_axis(cells))
    ax.set(xlim=(0, 100), ylim=(0, 100))
    figure.legend(loc="outside lower center", ncols=2)
    words = f"A line per model, in tenths of probability. {FEW_IMAGES_LEFT_OUT}"
    return FigureDraft(figure, "reliability", "Models by probability", words, marks)


def _bin_mark(cells: AccuracyIndex, row: ReliabilityBin) -> FigureMark:
    share = format_with_interval(row.accuracy, row.ci_low, row.ci_high)
    words = (
        f"{cells.display_name(row.participant)}, {row.dataset}\n"
        f"probability {100 * row.mean_probability:.1f} %\n{share} %, n = {row.total:,}"
    )
    return FigureMark(100 * row.mean_probability, 100 * row.accuracy, words, bin_source(cells, row))


def _axis(cells: AccuracyIndex) -> str:
    return f"{METRIC_TITLES[cells.main_metric].lower()} accuracy, %"
