"""Where the pixels of a turned, mirrored and scaled cut-out fall, and which of them are hidden."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeler.images.compose_plan import Pose

GRID = 4
"""Visibility is measured on every fourth pixel of every fourth row."""

Affine = tuple[float, float, float, float, float, float]


def extent(width: float, height: float, rotation: float) -> tuple[float, float]:
    """Give the upright size of the box around a turned one."""
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


def covered(shape: NDArray[np.bool_], pose: Pose, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Mark the grid points of a picture that an object covers."""
    height, width = shape.shape
    a, b, c, d, e, f = to_source(pose, left=0.0, top=0.0, source=(width, height))
    x = np.arange(GRID / 2, size[0], GRID)[None, :]
    y = np.arange(GRID / 2, size[1], GRID)[:, None]
    u = np.floor(a * x + b * y + c).astype(np.intp)
    v = np.floor(d * x + e * y + f).astype(np.intp)
    inside = (u >= 0) & (u < width) & (v >= 0) & (v < height)
    hit: NDArray[np.bool_] = shape[v.clip(0, height - 1), u.clip(0, width - 1)]
    hit &= inside
    return hit


def own_area(shape: NDArray[np.bool_], pose: Pose) -> float:
    """Give the number of pixels an object would cover if nothing cut or hid it."""
    return float(shape.mean()) * pose.width * pose.height


def visible_parts(
    objects: Sequence[tuple[NDArray[np.bool_], Pose]], size: tuple[int, int]
) -> list[float]:
    """Give the part of each object that can be seen; later objects stand before earlier ones."""
    taken = np.zeros((), dtype=np.bool_)
    parts: list[float] = []
    for shape, pose in reversed(objects):
        mask = covered(shape, pose, size)
        seen: Any = np.count_nonzero(mask & ~taken)
        parts.append(min(1.0, seen * GRID * GRID / max(own_area(shape, pose), 1.0)))
        taken = taken | mask
    return parts[::-1]
