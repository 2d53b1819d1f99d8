"""Names next to points, placed so that they cover neither each other nor a point.

Where there is room they keep clear of the bars of intervals too.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation

from labeler.report.figures.figure import shorten_name

_CHARACTER, _LINE = 5.0, 10.5  # the size of type in points, generously
_DISTANCES = (7.0, 14.0, 22.0, 32.0, 44.0, 58.0, 74.0)
_DIRECTIONS = 12
_FAR = 10.0  # from where on a thin line leads to the point

LabelOffset = tuple[float, float]


class LabelBox(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: "LabelBox") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.bottom < other.top and other.bottom < self.top


class LabeledPoint(NamedTuple):
    """A point in data coordinates, what to call it, and the ends of its bars: x, x, y, y."""

    x: float
    y: float
    name: str
    colour: str
    bars: tuple[float, float, float, float]

    @property
    def written(self) -> str:
        """The name as far as there is room for it."""
        return shorten_name(self.name)


def label_points(
    figure: Figure, axes: Axes, points: Sequence[LabeledPoint], shown: set[str]
) -> list[Annotation]:
    """Write the names that are shown, nearest first, the others' points being kept free too."""
    if not points:
        return []
    figure.draw_without_rendering()
    written = []
    scale = 72.0 / figure.dpi
    places = axes.transData.transform([(p.x, p.y) for p in points]) * scale
    frame = axes.get_window_extent()
    inside = LabelBox(*(v * scale for v in (frame.x0, frame.y0, frame.x1, frame.y1)))
    taken = [LabelBox(x - 4, y - 4, x + 4, y + 4) for x, y in places.tolist()]
    bars = [box for point in points for box in _bars(axes, point, scale)]
    for point, (x, y) in zip(points, places.tolist(), strict=True):
        if point.name in shown:
            clear = _free_place(point.written, x, y, taken + bars, inside)
            moved, box = (
                clear or _free_place(point.written, x, y, taken, inside) or _fallback_place(point)
            )
            taken.append(box)
            written.append(_write(axes, point, moved))
    return written


def _bars(axes: Axes, point: LabeledPoint, scale: float) -> tuple[LabelBox, LabelBox]:
    left, right, bottom, top = point.bars
    ends = [(left, point.y), (right, point.y), (point.x, bottom), (point.x, top)]
    (x0, y), (x1, _), (x, y0), (_, y1) = (axes.transData.transform(ends) * scale).tolist()
    return LabelBox(x0, y - 0.5, x1, y + 0.5), LabelBox(x - 0.5, y0, x + 0.5, y1)


def _fallback_place(point: LabeledPoint) -> tuple[LabelOffset, LabelBox]:
    """Where all is full: to the right, over whatever is there."""
    return (_DISTANCES[0] + _CHARACTER * len(point.written) / 2, 0.0), LabelBox(0.0, 0.0, 0.0, 0.0)


def _free_place(
    name: str, x: float, y: float, taken: list[LabelBox], inside: LabelBox
) -> tuple[LabelOffset, LabelBox] | None:
    """How far to move the middle of the name to where nothing is, if there is such a place."""
    width, height = _CHARACTER * len(name), _LINE
    angles = np.linspace(0, 2 * np.pi, _DIRECTIONS, endpoint=False).tolist()
    for distance, angle in product(_DISTANCES, angles):
        across = np.cos(angle) * (distance + width / 2)
        up = np.sin(angle) * (distance + height / 2)
        box = LabelBox(
            x + across - width / 2, y + up - height / 2, x + across + width / 2, y + up + height / 2
        )
        within = box.left >= inside.left and box.right <= inside.right
        within = within and box.bottom >= inside.bottom and box.top <= inside.top
        if within and not any(box.overlaps(other) for other in taken):
            return (across, up), box
    return None


def _write(axes: Axes, point: LabeledPoint, moved: tuple[float, float]) -> Annotation:
    far = np.hypot(max(0.0, abs(moved[0]) - _CHARACTER * len(point.written) / 2), moved[1]) > _FAR
    return axes.annotate(
        point.written,
        (point.x, point.y),
        xytext=moved,
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=7.5,
        color=point.colour,
        # A pale rim keeps the name readable where the bar of an interval crosses it.
        path_effects=[withStroke(linewidth=2.2, foreground="white")],
        zorder=6,
        arrowprops={"arrowstyle": "-", "color": "#6f7785", "lw": 0.5} if far else None,
    )
