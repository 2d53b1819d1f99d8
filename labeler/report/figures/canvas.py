"""One look for all figures, and the same bytes for the same numbers."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.study import ParticipantKind

# Told apart in grey too: humans are dark diamonds, models lighter circles.
COLOURS = {ParticipantKind.HUMAN: "#b3400f", ParticipantKind.MODEL: "#5b8fd0"}
MARKERS = {ParticipantKind.HUMAN: "D", ParticipantKind.MODEL: "o"}
NAMES = {ParticipantKind.HUMAN: "humans", ParticipantKind.MODEL: "models"}
INK, MUTED, FAINT = "#1d2129", "#525a68", "#c9cdd4"
_DPI = 200
_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlesize": 9.5,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "path",
    # A name is text: a dollar sign in it begins no formula.
    "text.parse_math": False,
    # Without it every drawing has other names inside.
    "svg.hashsalt": "labeler",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A point that can be pointed at: its place, what it says, the accuracies that it shows.

    `x` and `y` are fractions of the whole figure's width and height, from its upper left.
    """

    x: float
    y: float
    words: str
    shows: tuple[Accuracy, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A point as it is drawn, in the data's own coordinates."""

    x: float
    y: float
    words: str
    shows: tuple[Accuracy, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A finished figure; `words` is its caption, `marks` its points for whoever can point."""

    key: str
    title: str
    words: str
    svg: bytes
    png: bytes
    marks: tuple[Mark, ...] = ()


def house_style() -> AbstractContextManager[None]:
    """All drawing happens inside of it."""
    return mpl.rc_context(_STYLE)


def axes(width: float = 5.2, height: float = 4.4) -> tuple[Figure, Axes]:
    """An empty figure, in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    made: Axes = figure.subplots()
    made.grid(visible=True, color="#e6e8ec", linewidth=0.6)
    return figure, made


def finish(
    figure: Figure, key: str, title: str, words: str, points: Iterable[Placed] = ()
) -> Drawn:
    svg, png = BytesIO(), BytesIO()
    figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    figure.savefig(png, format="png", dpi=_DPI, metadata={"Software": None})
    # Only what was drawn has settled into its place.
    marks = tuple(_mark(figure, point) for point in points)
    return Drawn(key, title, words, svg.getvalue(), png.getvalue(), marks)


def _mark(figure: Figure, point: Placed) -> Mark:
    place = figure.axes[0].transData.transform((point.x, point.y))
    x, y = figure.transFigure.inverted().transform(place).tolist()
    return Mark(x, 1 - y, point.words, point.shows)
