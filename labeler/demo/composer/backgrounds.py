"""Painting the background of each kind of scene."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image

from labeler.demo.composer.interiors import room, studio, table, tiled_room
from labeler.demo.composer.landscapes import (
    beach,
    desert,
    forest,
    meadow,
    savanna,
    shore,
    snowfield,
)
from labeler.demo.composer.noise import Canvas, CanvasShape, Rng, as_image
from labeler.demo.composer.scenes import STAGING, Posture, SceneKind
from labeler.demo.composer.skies import open_sky, underwater
from labeler.demo.composer.streets import street
from labeler.demo.composer.surfaces import leaf, linen, planks, soil, stone

BACKDROP_SIZE = (400, 300)
"""Width and height of a painted background; pictures show a part of it."""


@dataclass(frozen=True, slots=True)
class Backdrop:
    """Everything a background is painted from."""

    kind: SceneKind
    seed: int
    horizon: float
    clutter: float


_Grounded = Callable[[Rng, CanvasShape, float, float], Canvas]
_Surface = Callable[[Rng, CanvasShape], Canvas]
_Open = Callable[[Rng, CanvasShape, float], Canvas]

_GROUNDED: dict[SceneKind, _Grounded] = {
    SceneKind.MEADOW: meadow,
    SceneKind.SAVANNA: savanna,
    SceneKind.FOREST: forest,
    SceneKind.SHORE: shore,
    SceneKind.BEACH: beach,
    SceneKind.SNOW: snowfield,
    SceneKind.DESERT: desert,
    SceneKind.STREET: street,
    SceneKind.TABLE: table,
    SceneKind.ROOM: room,
    SceneKind.TILES: tiled_room,
    SceneKind.STUDIO: studio,
}
_SURFACES: dict[SceneKind, _Surface] = {
    SceneKind.PLANKS: planks,
    SceneKind.LINEN: linen,
    SceneKind.STONE: stone,
    SceneKind.SOIL: soil,
    SceneKind.LEAF: leaf,
}
_OPEN: dict[SceneKind, _Open] = {SceneKind.SKY: open_sky, SceneKind.UNDERWATER: underwater}

assert set(_GROUNDED) == {kind for kind in SceneKind if STAGING[kind].posture is Posture.STANDS}
assert set(_SURFACES) == {kind for kind in SceneKind if STAGING[kind].posture is Posture.LIES}
assert set(_OPEN) == {kind for kind in SceneKind if STAGING[kind].posture is Posture.FLOATS}


def paint_background(backdrop: Backdrop) -> Image.Image:
    """Paint a background, the same for the same description."""
    return as_image(_canvas(backdrop))


def _canvas(backdrop: Backdrop) -> Canvas:
    rng = np.random.Generator(np.random.PCG64(backdrop.seed))
    shape = BACKDROP_SIZE[1], BACKDROP_SIZE[0]
    kind = backdrop.kind
    if kind in _GROUNDED:
        return _GROUNDED[kind](rng, shape, backdrop.horizon, backdrop.clutter)
    if kind in _OPEN:
        return _OPEN[kind](rng, shape, backdrop.clutter)
    return _SURFACES[kind](rng, shape)
