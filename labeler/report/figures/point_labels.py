"""Place names next to points so that they overlap neither each other nor a point.

Where there is room they also avoid the interval bars.
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

_CHARACTER, _LINE = 5.0, 10.5  # approximate text size in points
_DISTANCES = (7.0, 14.0, 22.0, 32.0, 44.0, 58.0, 74.0)
_DIRECTIONS = 12
_FAR = 10.0  # from here on, a thin line connects name and point

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
    """A point in data coordinates, its name, and the ends of its bars: x, x, y, y."""

    x: float
    y: float
    name: str
    colour: str
    bars: tuple[float, float, float, float]

    @property
    def written(self) -> str:
        """The name, shortened to fit."""
        return shorten_name(self.name)


def label_points(
    figure: Figure, axes: Axes, points: Sequence[LabeledPoint], shown: set[str]
) -> list[Annotation]:
    """Write the `shown` names, in order, without covering other points."""
    if not points:
        return []
    figure.draw_without_rendering()
    written = []
    scale = 72.0 / figure.dpi
    positions = axes.transData.transform([(p.x, p.y) for p in points]) * scale
    frame = axes.get_window_extent()
    inside = LabelBox(*(v * scale for v in (frame.x0, frame.y0, frame.x1, frame.y1)))
    taken = [LabelBox(x - 4, y - 4, x + 4, y + 4) for x, y in positions.tolist()]
    bars = [box for point in points for box in _bars(axes, point, scale)]
    for point, (x, y) in zip(points, positions.tolist(), strict=True):
        if point.name in shown:
            unobstructed = _free_position(point.written, x, y, taken + bars, inside)
            offset, box = (
                unobstructed
                or _free_position(point.written, x, y, taken, inside)
                or _fallback_position(point)
            )
            taken.append(box)
            written.append(_write(axes, point, offset))
    return written


def _bars(axes: Axes, point: LabeledPoint, scale: float) -> tuple[LabelBox, LabelBox]:
    left, right, bottom, top = point.bars
    ends = [(left, point.y), (right, point.y), (point.x, bottom), (point.x, top)]
    (x0, y), (x1, _), (x, y0), (_, y1) = (axes.transData.transform(ends) * scale).tolist()
    return LabelBox(x0, y - 0.5, x1, y + 0.5), LabelBox(x - 0.5, y0, x + 0.5, y1)


def _fallback_position(point: LabeledPoint) -> tuple[LabelOffset, LabelBox]:
    """Return a position to the right, possibly overlapping, when there is no free space."""
    return (_DISTANCES[0] + _CHARACTER * len(point.written) / 2, 0.0), LabelBox(0.0, 0.0, 0.0, 0.0)


def _free_position(
    name: str, x: float, y: float, taken: list[LabelBox], inside: LabelBox
) -> tuple[LabelOffset, LabelBox] | None:
    """Return the offset of the name's centre to a free position, or None."""
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


def _write(axes: Axes, point: LabeledPoint, offset: tuple[float, float]) -> Annotation:
    far = np.hypot(max(0.0, abs(offset[0]) - _CHARACTER * len(point.written) / 2), offset[1]) > _FAR
    return axes.annotate(
        point.written,
        (point.x, point.y),
        xytext=offset,
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=7.5,
        color=point.colour,
        # A white outline keeps the name readable where an interval bar crosses it.
        path_effects=[withStroke(linewidth=2.2, foreground="white")],
        zorder=6,
        arrowprops={"arrowstyle": "-", "color": "#6f7785", "lw": 0.5} if far else None,
    )
