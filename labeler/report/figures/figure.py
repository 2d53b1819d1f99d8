"""One look for all figures, and the same bytes for the same numbers."""

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from io import BytesIO
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from labeler.core.metrics.cell_source import CellSource
from labeler.core.study.entities import ParticipantKind

MAX_NAME_LENGTH = 40
MAX_AXIS_LABEL_LENGTH = 64


def shorten_name(name: str, longest: int = MAX_NAME_LENGTH) -> str:
    """The name, its middle left out where it is too long: its ends tell it from others."""
    if len(name) <= longest:
        return name
    head = (longest - 1) // 2
    tail = longest - 1 - head
    return f"{name[:head]}…{name[-tail:]}"


# Distinguished in grey too: humans are dark diamonds, models lighter circles.
KIND_COLOURS = {ParticipantKind.HUMAN: "#b3400f", ParticipantKind.MODEL: "#5b8fd0"}
KIND_MARKERS = {ParticipantKind.HUMAN: "D", ParticipantKind.MODEL: "o"}
KIND_NAMES = {ParticipantKind.HUMAN: "humans", ParticipantKind.MODEL: "models"}
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


# A letter that the typeface lacks, and names that leave no room: the tables have them all.
_IGNORED_WARNINGS = (r"Glyph \d+", r"constrained_layout not applied")


class AxesLimits(NamedTuple):
    """What of the data is between the axes' ends; a reversed axis begins with the larger."""

    left: float
    right: float
    bottom: float
    top: float


class AxesFrame(NamedTuple):
    """Where the axes lie in the picture, as fractions of its size from the upper left."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class FigureMark:
    """A point, a bar or a cell that can be pointed at: its place, what it says, its images.

    Everything is in the data's own coordinates; a point has no size.
    """

    x: float
    y: float
    words: str
    source: CellSource | None
    width: float = 0.0
    height: float = 0.0


class FigureFormat(StrEnum):
    """As what a figure can be drawn."""

    SVG = "svg"
    PNG = "png"


ALL_FORMATS = frozenset(FigureFormat)


@dataclass(frozen=True, slots=True)
class RenderedFigure:
    """A finished figure; `words` is its caption, `marks` are for anyone who can point.

    `pictures` has those that were wanted. `redraw` makes a picture of other limits, so many pixels
    wide, with the frame where it was.
    """

    key: str
    title: str
    words: str
    pictures: Mapping[FigureFormat, bytes]
    frame: AxesFrame
    limits: AxesLimits
    redraw: Callable[[AxesLimits, int], bytes] = field(compare=False, repr=False)
    marks: tuple[FigureMark, ...] = ()

    @property
    def svg(self) -> bytes:
        return self.pictures[FigureFormat.SVG]

    @property
    def png(self) -> bytes:
        return self.pictures[FigureFormat.PNG]


@contextmanager
def figure_style() -> Iterator[None]:
    """All drawing happens inside of it, and nothing is said of what can't be drawn better."""
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        for words in _IGNORED_WARNINGS:
            warnings.filterwarnings("ignore", words, UserWarning)
        yield


def make_axes(width: float = 5.2, height: float = 4.4) -> tuple[Figure, Axes]:
    """An empty figure, in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    made: Axes = figure.subplots()
    made.grid(visible=True, color="#e6e8ec", linewidth=0.6)
    return figure, made


@dataclass(frozen=True, slots=True)
class FigureDraft:
    """All of a figure but its pictures, which take longest.

    `rename` writes the names that fit where only a part is shown.
    """

    figure: Figure
    key: str
    title: str
    words: str
    marks: Sequence[FigureMark] = ()
    rename: Callable[[AxesLimits], None] = lambda _limits: None

    def drawn(self, pictures: Collection[FigureFormat] = ALL_FORMATS) -> RenderedFigure:
        """The figure with these pictures, each of them the same whatever others are drawn."""
        # Everything settles into its place, and there it stays, also when a part is shown.
        self.figure.draw_without_rendering()
        self.figure.set_layout_engine("none")
        made = {each: _RENDERERS[each](self.figure) for each in FigureFormat if each in pictures}
        shown = self.figure.axes[0]
        box = shown.get_position()
        return RenderedFigure(
            key=self.key,
            title=self.title,
            words=self.words,
            pictures=made,
            frame=AxesFrame(box.x0, 1 - box.y1, box.width, box.height),
            limits=AxesLimits(*map(float, (*shown.get_xlim(), *shown.get_ylim()))),
            redraw=lambda limits, width: _redrawn(self.figure, limits, width, self.rename),
            marks=tuple(self.marks),
        )


def _svg(figure: Figure) -> bytes:
    made = BytesIO()
    figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None})
    return made.getvalue()


def _png(figure: Figure, dpi: float = _DPI) -> bytes:
    made = BytesIO()
    figure.savefig(made, format="png", dpi=dpi, metadata={"Software": None})
    return made.getvalue()


_RENDERERS: Mapping[FigureFormat, Callable[[Figure], bytes]] = {
    FigureFormat.SVG: _svg,
    FigureFormat.PNG: _png,
}
assert set(_RENDERERS) == set(FigureFormat), "every picture is painted"


def _redrawn(
    figure: Figure, limits: AxesLimits, width: int, rename: Callable[[AxesLimits], None]
) -> bytes:
    with figure_style():
        figure.axes[0].set(xlim=limits[:2], ylim=limits[2:])
        rename(limits)
        return _png(figure, dpi=width / figure.get_figwidth())
