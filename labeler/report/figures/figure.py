"""A common style for all figures; equal numbers give equal bytes."""

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from io import BytesIO
from textwrap import wrap
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from labeler.core.metrics.cell_source import CellSource
from labeler.core.study.entities import ParticipantKind

MAX_NAME_LENGTH = 40
MAX_AXIS_LABEL_LENGTH = 46
_SHORTER_LABELS = (40, 32, 24, 16)


def shorten_name(name: str, longest: int = MAX_NAME_LENGTH) -> str:
    """Return the name, with its middle elided if too long, because the ends are distinctive."""
    if len(name) <= longest:
        return name
    start = (longest - 1) // 2
    end = longest - 1 - start
    return f"{name[:start]}…{name[-end:]}"


def wrap_label(text: str, longest: int = MAX_AXIS_LABEL_LENGTH) -> str:
    """Return the label of an axis in lines that fit along it."""
    # The unit stays with the last word.
    text = text.replace(", %", ",\N{NO-BREAK SPACE}%")
    lines = wrap(text, longest, break_long_words=False, break_on_hyphens=False)
    return "\n".join(shorten_name(line, longest) for line in lines)


# Also distinguishable in greyscale: humans are dark diamonds, models lighter circles.
KIND_COLOURS = {ParticipantKind.HUMAN: "#b3400f", ParticipantKind.MODEL: "#5b8fd0"}
KIND_MARKERS = {ParticipantKind.HUMAN: "D", ParticipantKind.MODEL: "o"}
KIND_NAMES = {ParticipantKind.HUMAN: "humans", ParticipantKind.MODEL: "models"}
INK, MUTED, FAINT = "#1d2129", "#525a68", "#c9cdd4"
_DPI = 200
# A share of fewer images is mostly chance; tables give its interval.
FEWEST_IMAGES = 5
FEW_IMAGES_LEFT_OUT = f"Points of fewer than {FEWEST_IMAGES} images are left out."
# Names in other scripts: fonts of Linux, Windows and macOS that have Chinese, Japanese and Korean.
_FALLBACK_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Noto Sans JP",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Arial Unicode MS",
)
_STYLE: dict[Any, Any] = {
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
    # Names are plain text: a dollar sign doesn't start a formula.
    "text.parse_math": False,
    # Makes the ids inside the SVG deterministic.
    "svg.hashsalt": "labeler",
}


# Missing glyphs and names that leave no room: the tables contain all names.
_IGNORED_WARNINGS = (r"Glyph \d+", r"constrained_layout not applied")


class AxesLimits(NamedTuple):
    """The data limits of the axes; a reversed axis starts with the larger value."""

    left: float
    right: float
    bottom: float
    top: float


class AxesFrame(NamedTuple):
    """The position of the axes in the picture, as fractions of its size from the top left."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class FigureMark:
    """A point, bar or cell with a tooltip and the images that it represents.

    Positions and sizes are in data coordinates; a point has no size.
    """

    x: float
    y: float
    words: str
    source: CellSource | None
    width: float = 0.0
    height: float = 0.0


class FigureFormat(StrEnum):
    """The file formats of a figure."""

    SVG = "svg"
    PNG = "png"


ALL_FORMATS = frozenset(FigureFormat)


@dataclass(frozen=True, slots=True)
class RenderedFigure:
    """A finished figure; `words` is its caption, `marks` are for hovering and clicking.

    `pictures` has the requested formats. `redraw` renders other limits at a given width in pixels,
    with the frame in the same position.
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


@cache
def font_families() -> tuple[str, ...]:
    """Return the font of the figures, and those installed that have the characters it lacks."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return ("DejaVu Sans", *(font for font in _FALLBACK_FONTS if font in installed))


@contextmanager
def figure_style() -> Iterator[None]:
    """Apply the style while drawing, and silence warnings that can't be fixed."""
    style = _STYLE | {"font.family": list(font_families())}
    with mpl.rc_context(style), warnings.catch_warnings():
        for message in _IGNORED_WARNINGS:
            warnings.filterwarnings("ignore", message, UserWarning)
        yield


def make_axes(width: float = 5.2, height: float = 4.4) -> tuple[Figure, Axes]:
    """Return an empty figure and its axes; sizes in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Axes = figure.subplots()
    axes.grid(visible=True, color="#e6e8ec", linewidth=0.6)
    return figure, axes


@dataclass(frozen=True, slots=True)
class FigureDraft:
    """A figure before rendering, which takes longest.

    `rename` redraws the point labels when only a part is shown.
    """

    figure: Figure
    key: str
    title: str
    words: str
    marks: Sequence[FigureMark] = ()
    rename: Callable[[AxesLimits], None] = lambda _limits: None

    def drawn(self, pictures: Collection[FigureFormat] = ALL_FORMATS) -> RenderedFigure:
        """Render the figure in these formats; each is independent of the others."""
        # Fix the layout now, so that it stays the same when only a part is shown.
        self.figure.draw_without_rendering()
        _keep_labels_inside(self.figure)
        self.figure.set_layout_engine("none")
        rendered = {
            each: _RENDERERS[each](self.figure) for each in FigureFormat if each in pictures
        }
        shown = self.figure.axes[0]
        box = shown.get_position()
        return RenderedFigure(
            key=self.key,
            title=self.title,
            words=self.words,
            pictures=rendered,
            frame=AxesFrame(box.x0, 1 - box.y1, box.width, box.height),
            limits=AxesLimits(*map(float, (*shown.get_xlim(), *shown.get_ylim()))),
            redraw=lambda limits, width: _redrawn(self.figure, limits, width, self.rename),
            marks=tuple(self.marks),
        )


def _keep_labels_inside(figure: Figure) -> None:
    """Wrap the labels of axes that are longer than the figure has room for."""
    for longest in _SHORTER_LABELS:
        cut = [
            label
            for axes in figure.axes
            for label in (axes.xaxis.label, axes.yaxis.label)
            if not _is_inside(label.get_window_extent(), figure)
        ]
        if not cut:
            return
        for label in cut:
            label.set_text(wrap_label(" ".join(label.get_text().split("\n")), longest))
        figure.draw_without_rendering()


def _is_inside(box: Bbox, figure: Figure) -> bool:
    page = figure.bbox
    return bool(page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1)


def _svg(figure: Figure) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _png(figure: Figure, dpi: float = _DPI) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


_RENDERERS: Mapping[FigureFormat, Callable[[Figure], bytes]] = {
    FigureFormat.SVG: _svg,
    FigureFormat.PNG: _png,
}
assert set(_RENDERERS) == set(FigureFormat), "every format has a renderer"


def _redrawn(
    figure: Figure, limits: AxesLimits, width: int, rename: Callable[[AxesLimits], None]
) -> bytes:
    with figure_style():
        figure.axes[0].set(xlim=limits[:2], ylim=limits[2:])
        rename(limits)
        return _png(figure, dpi=width / figure.get_figwidth())
