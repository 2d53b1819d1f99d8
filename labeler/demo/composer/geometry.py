"""Where the pixels of a turned, mirrored and scaled cut-out fall, and which of them are hidden."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labeler.demo.composer.plan import Pose

GRID = 2
"""Visibility is measured on every second pixel of every second row."""

Affine = tuple[float, float, float, float, float, float]
Mask = NDArray[np.bool_]


def rotated_extent(width: float, height: float, rotation: float) -> tuple[float, float]:
    """Return the upright size of the box around a turned one."""
    turn = math.radians(rotation)
    cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
    return width * cos + height * sin, width * sin + height * cos


def to_source(pose: Pose, *, left: float, top: float, source: tuple[int, int]) -> Affine:
    """Carry a pixel of a picture with that corner to the cut-out's own pixels."""
    turn = math.radians(pose.rotation)
    mirror = -1.0 if pose.flip else 1.0
    across, down = source[0] / pose.width, source[1] / pose.height
    a, b = math.cos(turn) * across * mirror, math.sin(turn) * across * mirror
    d, e = -math.sin(turn) * down, math.cos(turn) * down
    dx, dy = left - pose.x, top - pose.y
    return a, b, a * dx + b * dy + source[0] / 2, d, e, d * dx + e * dy + source[1] / 2


def unoccluded_area(shape: Mask, pose: Pose) -> float:
    """Return the number of pixels an object would cover if nothing cut or hid it."""
    return float(shape.mean()) * pose.width * pose.height


@dataclass(frozen=True, slots=True)
class _Footprint:
    """The grid points that an object covers, also beyond the picture's edge."""

    left: int
    top: int
    mask: Mask

    def within(self, width: int, height: int) -> tuple[tuple[slice, slice], Mask]:
        """Return the part inside a grid of that size, as a place in the grid and a mask."""
        rows = slice(max(self.top, 0), max(0, min(self.top + self.mask.shape[0], height)))
        columns = slice(max(self.left, 0), max(0, min(self.left + self.mask.shape[1], width)))
        inside = self.mask[
            rows.start - self.top : rows.stop - self.top,
            columns.start - self.left : columns.stop - self.left,
        ]
        return (rows, columns), inside


def _footprint(shape: Mask, pose: Pose) -> _Footprint:
    wide, tall = rotated_extent(pose.width, pose.height, pose.rotation)
    left, top = math.floor((pose.x - wide / 2) / GRID), math.floor((pose.y - tall / 2) / GRID)
    across, down = math.ceil(wide / GRID) + 1, math.ceil(tall / GRID) + 1
    height, width = shape.shape
    a, b, c, d, e, f = to_source(
        pose, left=(left + 0.5) * GRID, top=(top + 0.5) * GRID, source=(width, height)
    )
    x, y = GRID * np.arange(across)[None, :], GRID * np.arange(down)[:, None]
    u, v = np.floor(a * x + b * y + c).astype(np.intp), np.floor(d * x + e * y + f).astype(np.intp)
    inside = (u >= 0) & (u < width) & (v >= 0) & (v < height)
    mask: Mask = shape[v.clip(0, height - 1), u.clip(0, width - 1)] & inside
    return _Footprint(left, top, mask)


def visible_parts(objects: Sequence[tuple[Mask, Pose]], size: tuple[int, int]) -> list[float]:
    """Return the part of each object that can be seen; later objects stand before earlier ones."""
    width, height = size[0] // GRID, size[1] // GRID
    taken = np.zeros((height, width), dtype=np.bool_)
    parts: list[float] = []
    for shape, pose in reversed(objects):
        footprint = _footprint(shape, pose)
        place, inside = footprint.within(width, height)
        seen, own = (inside & ~taken[place]).sum(), footprint.mask.sum()
        parts.append(float(seen) / max(float(own), 1.0))
        taken[place] |= inside
    return parts[::-1]
