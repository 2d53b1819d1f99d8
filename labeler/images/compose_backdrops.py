"""Keeping painted backdrops, since many pictures show parts of the same one."""

import hashlib
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from PIL import Image

from labeler.images.compose_backgrounds import Backdrop, paint

Painter = Callable[[Backdrop], Image.Image]

_KEPT = 160


kept: Painter = lru_cache(maxsize=_KEPT)(paint)
"""Paint a backdrop or give the one painted before; callers must not change it."""


@lru_cache(maxsize=4)
def shared_painter(folder: Path) -> Painter:
    """Give a painter that first looks whether another process has painted the same backdrop."""

    @lru_cache(maxsize=_KEPT)
    def painter(backdrop: Backdrop) -> Image.Image:
        file = folder / f"{hashlib.sha256(repr(backdrop).encode()).hexdigest()[:24]}.ppm"
        if file.exists():
            return _read(file)
        image = paint(backdrop)
        _write(image, file)
        return image

    return painter


def _read(file: Path) -> Image.Image:
    with Image.open(file) as image:
        image.load()
        return image.copy()


def _write(image: Image.Image, file: Path) -> None:
    """Put a file in place whole, so that nobody reads half of one."""
    part = file.with_suffix(f".{os.getpid()}.part")
    image.save(part, "PPM")
    part.replace(file)
