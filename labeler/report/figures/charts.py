"""The other figures: times, superclasses, confusions and learning curves."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from labeler.core.metrics.cell_source import (
    EvaluationSource,
    HasImageStatus,
    ImageStatus,
    MedianTimeBetween,
    ParticipantMetric,
    SuperclassConfused,
    TrainingDaySource,
)
from labeler.core.metrics.error_analysis import ConfusionMatrix
from labeler.core.metrics.report_contents import LearningPoint
from labeler.core.metrics.subsets import Subset
from labeler.core.study.entities import ParticipantKind
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.figures.figure import (
    FAINT,
    FEW_IMAGES_LEFT_OUT,
    FEWEST_IMAGES,
    KIND_COLOURS,
    KIND_MARKERS,
    KIND_NAMES,
    MUTED,
    FigureDraft,
    FigureMark,
    make_axes,
    shorten_name,
)
from labeler.report.figures.matrix import MatrixCell, draw_matrix

_SHADES = ("#b3400f", "#d9763f", "#5c2107", "#c25a22", "#8a3209", "#e08a5b")
_SHAPES = ("D", "o", "s", "^", "v", "P")
_DASHES = ("-", "--", "-.", ":", (0, (6, 2, 1, 2)), (0, (1, 1)))


def draw_times(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw the histogram of the images' median times."""
    timing = cells.numbers.timing
    if not any(timing.counts):
        return None
    figure, ax = make_axes(5.2, 3.2)
    edges = list(timing.edges)
    positions = np.arange(len(timing.counts))
    fast = [edge <= timing.fast_threshold_seconds for edge in edges[1:]]
    colours = [KIND_COLOURS[ParticipantKind.HUMAN] if is_fast else FAINT for is_fast in fast]
    ax.bar(positions, timing.counts, width=0.92, color=colours, edgecolor=MUTED, linewidth=0.4)
    ax.set_xticks(positions, [f"{edge:g}" for edge in edges[1:]], rotation=45)
    ax.set(xlabel="median active time of an image, up to … s", ylabel="images")
    ax.grid(visible=False, axis="x")
    words = (
        "How long the humans worked on an image: the median over those who answered. Dark bars are "
        f"fast images (at most {timing.fast_threshold_seconds:g} s)."
    )
    marks = [_bar(cells, n, count) for n, count in enumerate(timing.counts) if count]
    return FigureDraft(figure, "time-histogram", "Median active time per image", words, marks)


def _bar(cells: AccuracyIndex, number: int, count: int) -> FigureMark:
    above, up_to = cells.numbers.timing.edges[number : number + 2]
    between = f"{above:g} to {up_to:g} s" if number else f"up to {up_to:g} s"
    source = EvaluationSource(
        heading=f"Median active time {between}",
        words="Images of the base that humans answered",
        datasets=cells.datasets,
        subsets=(),
        conditions=(HasImageStatus(ImageStatus.BASE), MedianTimeBetween(above, up_to)),
        markings=tuple(
            ParticipantMetric(code, cells.main_metric) for code in cells.numbers.study.humans
        ),
    )
    images = "one image" if count == 1 else f"{count:,} images"
    return FigureMark(number, count / 2, f"{between}\n{images}", source, 0.92, count)


def draw_accuracy_by_time(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw accuracy pooled over the participants of a kind, by the image's median time."""
    bands = cells.numbers.timing.bands
    if not bands:
        return None
    bands_in_order = sorted({(b.above, b.up_to) for b in bands}, key=lambda band: band[0])
    marks = [
        mark
        for kind in ParticipantKind
        for number, band in enumerate(bands_in_order)
        if (mark := _pooled(cells, kind, number, band)) is not None
    ]
    if not marks:
        return None
    figure, ax = make_axes(5.2, 3.2)
    for kind in ParticipantKind:
        own = [mark for mark in marks if mark.words.startswith(KIND_NAMES[kind])]
        if own:
            ax.plot(
                [mark.x for mark in own],
                [mark.y for mark in own],
                marker=KIND_MARKERS[kind],
                color=KIND_COLOURS[kind],
                ls="-" if kind is ParticipantKind.HUMAN else "--",
                label=f"{KIND_NAMES[kind]}, pooled",
            )
    names = [
        f"{_band(band)}\n{max(b.total for b in bands if b.above == band[0]):,}"
        for band in bands_in_order
    ]
    ax.set_xticks(range(len(bands_in_order)), names)
    ax.set(xlabel="median active time of an image, s; number of images below", ylabel=_axis(cells))
    ax.legend()
    words = f"Accuracy on images by the time that the humans needed for them. {FEW_IMAGES_LEFT_OUT}"
    return FigureDraft(figure, "accuracy-by-time", "Accuracy against time", words, marks)


_Band = tuple[float, float | None]


def _band(band: _Band) -> str:
    above, up_to = band
    return f"> {above:g}" if up_to is None else f"≤ {up_to:g}"


def _pooled(
    cells: AccuracyIndex, kind: ParticipantKind, number: int, band: _Band
) -> FigureMark | None:
    rows = [
        b
        for b in cells.numbers.timing.bands
        if (b.above, b.up_to) == band and cells.display_name.kind(b.participant) is kind
    ]
    total = sum(b.total for b in rows)
    if max((b.total for b in rows), default=0) < FEWEST_IMAGES:
        return None
    share = 100 * sum(b.correct for b in rows) / total
    source = cells.cell_sources.several(
        f"The {KIND_NAMES[kind]}",
        [b.participant for b in rows],
        datasets=cells.datasets,
        metric=rows[0].metric,
    )
    within = f"median active time {_band(band)} s"
    tooltip = f"{KIND_NAMES[kind]}, {within}\n{share:.1f} %, {total:,} answers"
    return FigureMark(
        number,
        share,
        tooltip,
        source and source.also(f"{source.words}, {within}", MedianTimeBetween(*band)),
    )


def draw_superclasses(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw every participant's accuracy in each superclass, over all datasets."""
    superclasses = [s for s in cells.numbers.subsets if s.is_superclass]
    return _draw_subsets(cells, superclasses, "superclasses", "Accuracy by superclass")


def draw_factors(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw every participant's accuracy on the images with each imported factor."""
    factors = [s for s in cells.numbers.subsets if s.is_factor]
    return _draw_subsets(cells, factors, "factors", "Accuracy by image factor")


def _draw_subsets(
    cells: AccuracyIndex, subsets: Sequence[Subset], key: str, title: str
) -> FigureDraft | None:
    shares = {subset.key: _shares(cells, subset) for subset in subsets}
    shown = [subset for subset in subsets if shares[subset.key]]
    if not shown:
        return None
    figure, ax = make_axes(5.6, 1.2 + 0.3 * len(shown))
    marks: list[FigureMark] = []
    for kind, shift in ((ParticipantKind.HUMAN, 0.16), (ParticipantKind.MODEL, -0.16)):
        own = [
            replace(mark, y=position + shift)
            for position, subset in enumerate(reversed(shown))
            for code, mark in shares[subset.key].items()
            if cells.display_name.kind(code) is kind
        ]
        marks += own
        if own:
            ax.scatter(
                [mark.x for mark in own],
                [mark.y for mark in own],
                s=22,
                marker=KIND_MARKERS[kind],
                color=KIND_COLOURS[kind],
                alpha=0.7,
                lw=0,
                label=KIND_NAMES[kind],
            )
    ax.set_yticks(range(len(shown)), [shorten_name(subset.title) for subset in reversed(shown)])
    ax.set(xlabel=_axis(cells))
    figure.legend(loc="outside upper right", ncols=2)
    words = f"One mark per participant, all datasets together. {FEW_IMAGES_LEFT_OUT}"
    return FigureDraft(figure, key, title, words, marks)


def _shares(cells: AccuracyIndex, subset: Subset) -> dict[str, FigureMark]:
    """Return each participant's accuracy on the subset, over all datasets, without a height."""
    marks = {}
    for code in cells.numbers.study.participants:
        keys = [(code, dataset, subset.key, cells.main_metric) for dataset in cells.datasets]
        rows = tuple(row for key in keys if (row := cells.accuracy.get(key)) is not None)
        total = sum(row.total for row in rows)
        if total >= FEWEST_IMAGES:
            share = 100 * sum(row.correct for row in rows) / total
            name = cells.display_name(code)
            tooltip = f"{name}, {subset.title}\n{share:.1f} %, n = {total:,}"
            marks[code] = FigureMark(share, 0, tooltip, cells.cell_sources.accuracies(*rows))
    return marks


def draw_confusion(cells: AccuracyIndex, found: ConfusionMatrix, number: int) -> FigureDraft:
    """Draw the shares of each row, with the counts in the cells."""
    name = cells.display_name(found.participant)
    figure, drawn = draw_matrix(found.superclasses, np.array(found.counts), columns="answered")
    words = f"Images by superclass (rows) and by the superclass of {name}’s answer (columns)."
    title = f"Confusion between superclasses: {name}"
    marks = [_confused(cells, found, cell) for cell in drawn]
    return FigureDraft(figure, f"confusion-{number}", title, words, marks)


def _confused(cells: AccuracyIndex, found: ConfusionMatrix, cell: MatrixCell) -> FigureMark:
    row, column = cell.row, cell.column
    target, answer = found.superclasses[row], found.superclasses[column]
    count, total = cell.images, sum(found.counts[row])
    code = found.participant
    source = EvaluationSource(
        heading=f"{cells.display_name(code)}: {target} answered as {answer}",
        words="Evaluated images with an answer",
        datasets=cells.datasets,
        conditions=(SuperclassConfused(code, found.keys[row], found.keys[column]),),
        markings=(ParticipantMetric(code, cells.main_metric),),
    )
    tooltip = f"{target} answered as {answer}\n{count:,} of {total:,}, {100 * count / total:.1f} %"
    return FigureMark(cell.x, cell.y, tooltip, source, 1.0, 1.0)


def draw_learning(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw training accuracy against the number of images answered so far."""
    points = cells.contents.learning
    if not points:
        return None
    marks: list[FigureMark] = []
    figure, ax = make_axes(6.0, 3.2)
    codes = sorted({point.participant for point in points})
    for number, code in enumerate(codes):
        days = [p for p in points if p.participant == code]
        answered = dict(zip(days, np.cumsum([p.total for p in days]).tolist(), strict=True))
        own = [day for day in days if day.total >= FEWEST_IMAGES]
        if not own:
            continue
        done = [answered[day] for day in own]
        shares = [100 * p.correct / p.total for p in own]
        style = _DASHES[number % len(_DASHES)]
        colour = _SHADES[number % len(_SHADES)]
        ax.plot(
            done,
            shares,
            ls=style,
            marker=_SHAPES[number % len(_SHAPES)],
            ms=4.5,
            color=colour,
            label=shorten_name(cells.display_name(code)),
        )
        marks += [
            _day(cells, point, so_far, share)
            for point, so_far, share in zip(own, done, shares, strict=True)
        ]
    if not marks:
        return None
    ax.set(xlabel="training images answered", ylabel="right at first, %")
    # Outside the axes, because the curves can be anywhere inside.
    figure.legend(loc="outside right upper")
    words = f"Each mark is one day of training. {FEW_IMAGES_LEFT_OUT}"
    return FigureDraft(figure, "learning", "Learning curves", words, marks)


def _day(cells: AccuracyIndex, point: LearningPoint, answered: int, share: float) -> FigureMark:
    name = cells.display_name(point.participant)
    source = TrainingDaySource(
        heading=f"{name}, training on {point.day}",
        words="First answers to training images",
        participant=point.participant,
        day=point.day,
    )
    tooltip = f"{name}, {point.day}\n{point.correct:,} of {point.total:,} right at first"
    return FigureMark(answered, share, tooltip, source)


def _axis(cells: AccuracyIndex) -> str:
    return f"{METRIC_TITLES[cells.main_metric].lower()} accuracy, %"
