"""Keeping painted backdrops, since many pictures show parts of the same one."""

import hashlib
import os
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from PIL import Image

from labeler.demo.composer.backgrounds import Backdrop, paint_background

Painter = Callable[[Backdrop, tuple[int, int]], Image.Image]
"""Gives a whole backdrop at a size; the picture belongs to everyone and must not be changed."""

_CACHED_BACKDROPS = 160
_CACHED_SCALED_BACKDROPS = 192


def cached_painter(source: Callable[[Backdrop], Image.Image]) -> Painter:
    """Give a painter that remembers what it has painted and scaled."""
    original = lru_cache(maxsize=_CACHED_BACKDROPS)(source)

    @lru_cache(maxsize=_CACHED_SCALED_BACKDROPS)
    def painter(backdrop: Backdrop, size: tuple[int, int]) -> Image.Image:
        return original(backdrop).resize(size, Image.Resampling.BILINEAR)

    return painter


cached_paint: Painter = cached_painter(paint_background)
"""The painter of a single process."""


@lru_cache(maxsize=1)
def shared_painter(folder: Path) -> Painter:
    """Give a painter that first looks whether another process has painted the same backdrop."""

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
    """Put a file in place whole, so that nobody reads half of one."""
    part = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
    image.save(part, "PPM")
    part.replace(file)
