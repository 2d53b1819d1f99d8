"""The other figures: times, superclasses, confusions, learning."""

import numpy as np

from labeler.core.metrics.confusions import Confusion
from labeler.core.metrics.contents import LearningPoint, ReportContents
from labeler.core.metrics.times import Timing
from labeler.core.study import ParticipantKind
from labeler.report.cells import METRIC_TITLES, Cells
from labeler.report.figures.canvas import (
    COLOURS,
    FAINT,
    INK,
    MARKERS,
    MUTED,
    NAMES,
    Drawn,
    Placed,
    axes,
    finish,
)

_SHADES = ("#b3400f", "#d9763f", "#5c2107", "#c25a22", "#8a3209", "#e08a5b")
_SHAPES = ("D", "o", "s", "^", "v", "P")
_DASHES = ("-", "--", "-.", ":", (0, (6, 2, 1, 2)), (0, (1, 1)))


def draw_times(timing: Timing) -> Drawn | None:
    """The histogram of the images' median times."""
    if not any(timing.counts):
        return None
    figure, ax = axes(5.2, 3.2)
    edges = list(timing.edges)
    positions = np.arange(len(timing.counts))
    fast = [edge <= timing.fast_threshold_seconds for edge in edges[1:]]
    colours = [COLOURS[ParticipantKind.HUMAN] if is_fast else FAINT for is_fast in fast]
    ax.bar(positions, timing.counts, width=0.92, color=colours, edgecolor=MUTED, linewidth=0.4)
    ax.set_xticks(positions, [f"{edge:g}" for edge in edges[1:]], rotation=45)
    ax.set(xlabel="median active time of an image, up to … s", ylabel="images")
    ax.grid(visible=False, axis="x")
    words = (
        "How long the humans worked on an image: the median over those who answered. Dark bars are "
        f"fast images, at most {timing.fast_threshold_seconds:g} s."
    )
    return finish(figure, "time-histogram", "Median active time per image", words)


def draw_accuracy_by_time(cells: Cells) -> Drawn | None:
    """Pooled over the participants of a kind, by the image's median time."""
    bands = cells.numbers.timing.bands
    if not bands:
        return None
    figure, ax = axes(5.2, 3.2)
    places = sorted({(b.above, b.up_to) for b in bands}, key=lambda band: band[0])
    for kind in ParticipantKind:
        shares = []
        for place in places:
            rows = [
                b
                for b in bands
                if (b.above, b.up_to) == place and cells.called.kind(b.participant) is kind
            ]
            total = sum(b.total for b in rows)
            shares.append(100 * sum(b.correct for b in rows) / total if total else np.nan)
        if not np.isnan(shares).all():
            ax.plot(
                range(len(places)),
                shares,
                marker=MARKERS[kind],
                color=COLOURS[kind],
                ls="-" if kind is ParticipantKind.HUMAN else "--",
                label=f"{NAMES[kind]}, pooled",
            )
    names = [
        (f"> {above:g}" if up_to is None else f"≤ {up_to:g}")
        + f"\n{max(b.total for b in bands if b.above == above):,}"
        for above, up_to in places
    ]
    ax.set_xticks(range(len(places)), names)
    ax.set(xlabel="median active time of an image, s; below, how many", ylabel=_axis(cells))
    ax.legend()
    words = "Accuracy by how long the humans needed: the longer, the harder for whom?"
    return finish(figure, "accuracy-by-time", "Accuracy against time", words)


def draw_superclasses(cells: Cells) -> Drawn | None:
    """Every participant's accuracy in each superclass, over all datasets."""
    metric = cells.main_metric
    present = {row.subset for row in cells.numbers.accuracy if row.metric is metric}
    keys = [s for s in cells.numbers.subsets if s.is_superclass and s.key in present]
    figure, ax = axes(5.6, 1.2 + 0.3 * len(keys))
    placed: list[Placed] = []
    for kind, shift in ((ParticipantKind.HUMAN, 0.16), (ParticipantKind.MODEL, -0.16)):
        study = cells.numbers.study
        codes = study.humans if kind is ParticipantKind.HUMAN else study.models
        x, y = [], []
        for place, subset in enumerate(reversed(keys)):
            for code in codes:
                found = [cells.accuracy.get((code, d, subset.key, metric)) for d in cells.datasets]
                rows = tuple(row for row in found if row is not None)
                total = sum(row.total for row in rows)
                if total:
                    x.append(100 * sum(row.correct for row in rows) / total)
                    y.append(place + shift)
                    said = f"{cells.called(code)}, {subset.title}\n{x[-1]:.1f} %, n = {total:,}"
                    placed.append(Placed(x[-1], y[-1], said, rows))
        if x:
            ax.scatter(
                x,
                y,
                s=22,
                marker=MARKERS[kind],
                color=COLOURS[kind],
                alpha=0.7,
                lw=0,
                label=NAMES[kind],
            )
    if not placed:
        return None
    ax.set_yticks(range(len(keys)), [subset.title for subset in reversed(keys)])
    ax.set(xlabel=_axis(cells))
    figure.legend(loc="outside upper right", ncols=2)
    words = "One mark a participant, all datasets together."
    return finish(figure, "superclasses", "Accuracy by superclass", words, placed)


def draw_confusion(found: Confusion, name: str, number: int) -> Drawn:
    """Shares of each row, with the counts in the cells."""
    figure, ax = axes(5.8, 5.0)
    counts = np.array(found.counts)
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(counts / counts.sum(axis=1, keepdims=True))
    ax.imshow(shares, cmap="Greys", vmin=0, vmax=1)
    for row, column in zip(*np.nonzero(counts), strict=True):
        dark = shares[row, column] > 0.55
        ax.text(
            column,
            row,
            str(counts[row, column]),
            ha="center",
            va="center",
            fontsize=7,
            color="white" if dark else INK,
        )
    places = range(len(found.superclasses))
    ax.set_xticks(places, found.superclasses, rotation=40, ha="right")
    ax.set_yticks(places, found.superclasses)
    ax.set(xlabel="answered", ylabel="target")
    ax.grid(visible=False)
    words = f"Images of a superclass, in rows, by the superclass that {name} answered with."
    return finish(figure, f"confusion-{number}", f"Confusion between superclasses: {name}", words)


def draw_learning(points: tuple[LearningPoint, ...], contents: ReportContents) -> Drawn | None:
    """Training accuracy by the number of images answered until then."""
    if not points:
        return None
    figure, ax = axes(6.0, 3.2)
    codes = sorted({point.participant for point in points})
    for number, code in enumerate(codes):
        own = [p for p in points if p.participant == code]
        done = np.cumsum([p.total for p in own])
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
            label=contents.names.get(code, code),
        )
    ax.set(xlabel="training images answered", ylabel="right at first, %")
    # Beside the curves, which may lie anywhere between the axes.
    figure.legend(loc="outside right upper")
    return finish(figure, "learning", "Learning curves", "Each mark is one day of training.")


def _axis(cells: Cells) -> str:
    return f"{METRIC_TITLES[cells.main_metric].lower()} accuracy, %"
