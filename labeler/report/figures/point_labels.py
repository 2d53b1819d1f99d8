"""Place names next to points so that they overlap neither each other nor a point.

Where there is room they also avoid the interval bars. The line that connects a distant name to its
point crosses no other name and no other line.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation

from labeler.report.figures.figure import shorten_name

_FONT_SIZE = 7.5
_LONGEST_NAME = 30
_DISTANCES = (5.0, 8.0, 12.0, 17.0, 24.0, 32.0, 44.0, 58.0, 74.0, 92.0, 112.0)
_DIRECTIONS = 16
_FAR = 9.0  # from here on, a thin line connects name and point
_LINE_STEP = 2.0  # a connecting line occupies small boxes at this distance
# A name on an interval bar is as bad as one this many points farther away.
_BAR_COST = 9.0
# The same for a line to a name that crosses another point.
_CROSSING_COST = 6.0
_GAP = 1.0  # kept free around a name

LabelOffset = tuple[float, float]


class LabelBox(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float


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
        return shorten_name(self.name, _LONGEST_NAME)


def label_points(
    figure: Figure, axes: Axes, points: Sequence[LabeledPoint], shown: set[str]
) -> list[Annotation]:
    """Write the `shown` names, in order, without covering other points or names.

    A name without any room is left out: the tables have it, and so has the tooltip.
    """
    if not points:
        return []
    figure.draw_without_rendering()
    written = []
    scale = 72.0 / figure.dpi
    positions = axes.transData.transform([(p.x, p.y) for p in points]) * scale
    frame = axes.get_window_extent()
    inside = LabelBox(*(v * scale for v in (frame.x0, frame.y0, frame.x1, frame.y1)))
    drawn = _boxes([LabelBox(x - 3, y - 3, x + 3, y + 3) for x, y in positions.tolist()])
    names = _boxes([])
    bars = _boxes([box for point in points for box in _bars(axes, point, scale)])
    for point, (x, y) in zip(points, positions.tolist(), strict=True):
        if point.name in shown:
            size = _text_size(figure, point.written)
            found = _best_position(size, (x, y), _Occupied(drawn, names, bars), inside)
            if found is not None:
                names = np.vstack([names, found.box, found.line])
                written.append(_write(axes, point, found))
    return written


_Boxes = npt.NDArray[np.float64]


class _Occupied(NamedTuple):
    """The boxes of the points, of the names with their lines, and of the interval bars."""

    points: _Boxes
    names: _Boxes
    bars: _Boxes


class _Position(NamedTuple):
    """The offset of a name's centre from its point, its box, and the boxes of its line."""

    offset: LabelOffset
    box: LabelBox
    line: _Boxes


def _boxes(boxes: Sequence[LabelBox]) -> _Boxes:
    return np.array(boxes, np.float64).reshape(-1, 4)


def _text_size(figure: Figure, text: str) -> tuple[float, float]:
    """Return width and height of the text in points, as it is drawn."""
    measured = figure.text(0, 0, text, fontsize=_FONT_SIZE)
    extent = measured.get_window_extent()
    measured.remove()
    scale = 72.0 / figure.dpi
    return extent.width * scale + 2 * _GAP, extent.height * scale + 2 * _GAP


def _bars(axes: Axes, point: LabeledPoint, scale: float) -> tuple[LabelBox, LabelBox]:
    left, right, bottom, top = point.bars
    ends = [(left, point.y), (right, point.y), (point.x, bottom), (point.x, top)]
    (x0, y), (x1, _), (x, y0), (_, y1) = (axes.transData.transform(ends) * scale).tolist()
    return LabelBox(x0, y - 0.5, x1, y + 0.5), LabelBox(x - 0.5, y0, x + 0.5, y1)


def _best_position(
    size: tuple[float, float], at: tuple[float, float], occupied: _Occupied, inside: LabelBox
) -> _Position | None:
    """Return the position that is near and crosses few bars, or None."""
    best: tuple[float, _Position] | None = None
    angles = np.linspace(0, 2 * np.pi, _DIRECTIONS, endpoint=False).tolist()
    for distance, angle in product(_DISTANCES, angles):
        if best is not None and distance >= best[0]:
            break
        found = _position(size, at, distance, angle)
        if not _is_free(found, occupied, inside):
            continue
        cost = distance + _BAR_COST * min(3, _overlapped(found.box, occupied.bars))
        cost += _CROSSING_COST * _crossed(found.line, occupied.points)
        if best is None or cost < best[0]:
            best = cost, found
    return None if best is None else best[1]


def _position(
    size: tuple[float, float], at: tuple[float, float], distance: float, angle: float
) -> _Position:
    (width, height), (x, y) = size, at
    across = np.cos(angle) * (distance + width / 2)
    up = np.sin(angle) * (distance + height / 2)
    left, bottom = x + across - width / 2, y + up - height / 2
    box = LabelBox(left, bottom, left + width, bottom + height)
    return _Position((across, up), box, _line((x, y), (across, up), box))


def _line(at: tuple[float, float], offset: LabelOffset, box: LabelBox) -> _Boxes:
    """Return small boxes along the line from the point to the edge of the name, if it has one."""
    aside = max(box.left - at[0], at[0] - box.right, 0), max(box.bottom - at[1], at[1] - box.top, 0)
    if np.hypot(*aside) <= _FAR:
        return _boxes([])
    steps = np.arange(0, np.hypot(*offset), _LINE_STEP) / np.hypot(*offset)
    x, y = at[0] + steps * offset[0], at[1] + steps * offset[1]
    outside = (x < box.left) | (x > box.right) | (y < box.bottom) | (y > box.top)
    half = _LINE_STEP / 2
    line: _Boxes = np.column_stack([x - half, y - half, x + half, y + half])[outside]
    return line


def _is_free(position: _Position, occupied: _Occupied, inside: LabelBox) -> bool:
    box = position.box
    if box.left < inside.left or box.right > inside.right:
        return False
    if box.bottom < inside.bottom or box.top > inside.top:
        return False
    if _overlapped(box, occupied.points) or _overlapped(box, occupied.names):
        return False
    return not any(_overlapped(LabelBox(*part), occupied.names) for part in position.line.tolist())


def _crossed(line: _Boxes, points: _Boxes) -> int:
    """Return how many points the line crosses, besides the one that it begins at."""
    if not len(line):
        return 0
    across = (line[:, None, 0] < points[:, 2]) & (points[:, 0] < line[:, None, 2])
    hit = across & (line[:, None, 1] < points[:, 3]) & (points[:, 1] < line[:, None, 3])
    return int(hit.any(axis=0).sum()) - 1


def _overlapped(box: LabelBox, others: _Boxes) -> int:
    """Return how many of the others the box overlaps."""
    across = (box.left < others[:, 2]) & (others[:, 0] < box.right)
    return int((across & (box.bottom < others[:, 3]) & (others[:, 1] < box.top)).sum())


def _write(axes: Axes, point: LabeledPoint, position: _Position) -> Annotation:
    return axes.annotate(
        point.written,
        (point.x, point.y),
        xytext=position.offset,
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=_FONT_SIZE,
        color=point.colour,
        # A white outline keeps the name readable where an interval bar crosses it.
        path_effects=[withStroke(linewidth=2.2, foreground="white")],
        zorder=6,
        arrowprops={"arrowstyle": "-", "color": "#6f7785", "lw": 0.5}
        if len(position.line)
        else None,
    )
