"""Painting the background of each kind of scene."""

import hashlib
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

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
    street,
)
from labeler.demo.composer.noise import Canvas, CanvasShape, Rng, as_image
from labeler.demo.composer.scenes import STAGING, Posture, SceneKind
from labeler.demo.composer.skies import open_sky, underwater
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


Painter = Callable[[Backdrop, tuple[int, int]], Image.Image]
"""Returns a backdrop at a size; the image is shared and must not be changed."""

_CACHED_BACKDROPS = 160
_CACHED_SCALED_BACKDROPS = 192


def cached_painter(source: Callable[[Backdrop], Image.Image]) -> Painter:
    """Return a painter that caches what it has painted and scaled."""
    original = lru_cache(maxsize=_CACHED_BACKDROPS)(source)

    @lru_cache(maxsize=_CACHED_SCALED_BACKDROPS)
    def painter(backdrop: Backdrop, size: tuple[int, int]) -> Image.Image:
        return original(backdrop).resize(size, Image.Resampling.BILINEAR)

    return painter


cached_paint: Painter = cached_painter(paint_background)
"""The painter of a single process."""


@lru_cache(maxsize=1)
def shared_painter(folder: Path) -> Painter:
    """Return a painter that shares its backdrops with other processes through a folder."""

    def source(backdrop: Backdrop) -> Image.Image:
        file = folder / f"{hashlib.sha256(repr(backdrop).encode()).hexdigest()[:24]}.ppm"
        if file.exists():
            return _read(file)
        image = paint_background(backdrop)
        _write(image, file)
        return image

    return cached_painter(source)


def _read(file: Path) -> Image.Image:
    with Image.open(file) as image:
        return image.copy()


def _write(image: Image.Image, file: Path) -> None:
    """Write a file atomically, so that other processes never read a part of it."""
    part = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
    image.save(part, "PPM")
    part.replace(file)
