"""The pixels of cut-outs, with the fringe of the old background removed, cached by size."""

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from labeler.core.errors import EnvironmentFault
from labeler.demo.composer.cutouts import Cutout
from labeler.demo.composer.noise import as_image, fractal, paint_lit

_STEP = 1.3
_CACHED_SIZES = 400
_SOLID = 200
_BLACK = 8
_FUR = (104.0, 82.0, 62.0)


@lru_cache(maxsize=256)
def cutout_pixels(path: Path) -> Image.Image:
    """Read a cut-out and clean its edge; callers must not change it."""
    try:
        with Image.open(path) as image:
            return _without_fringe(_with_fur(image.convert("RGBA")))
    except OSError as error:
        raise EnvironmentFault(
            f"{path} can't be read ({error}); install the program's demo files again."
        ) from None


def _with_fur(image: Image.Image) -> Image.Image:
    """Return a cut-out that is a bare black outline the look of fur lit from above."""
    if np.asarray(image.convert("RGB")).max() > _BLACK:
        return image
    rng = np.random.Generator(np.random.PCG64(3))
    shape = image.height, image.width
    hair = fractal(rng, shape, (image.height // 6, image.width // 2), octaves=3, gain=0.8)
    light = (0.35 + 0.9 * hair) * np.linspace(1.25, 0.55, image.height)[:, None]
    furry = as_image(paint_lit(_FUR, light))
    furry.putalpha(image.getchannel("A"))
    return furry


def _without_fringe(image: Image.Image) -> Image.Image:
    """Give edge pixels the colour of the object inside them, and soften the outline."""
    alpha = image.getchannel("A")
    inner = (np.asarray(alpha.filter(ImageFilter.MinFilter(3))) > _SOLID).astype(np.float32)
    colours = np.asarray(image.convert("RGB"), dtype=np.float32)
    weight = _softened(inner)
    spread = np.stack([_softened(colours[..., i] * inner) for i in range(3)], axis=2)
    inside = spread / np.maximum(weight, 1e-3)[..., None]
    edge = ((inner == 0) & (weight > 0.04))[..., None]
    cleaned = np.where(edge, inside, colours)
    outline = np.asarray(alpha.filter(ImageFilter.GaussianBlur(0.6)), dtype=np.float32)
    feathered = np.clip((outline - 66.0) * (255.0 / 140.0), 0.0, 255.0)
    return Image.fromarray(np.dstack([cleaned, feathered]).clip(0, 255).astype(np.uint8), "RGBA")


def _softened(plane: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """Average each value with its neighbours two pixels around."""
    padded = np.pad(plane, 2)
    height, width = plane.shape
    rows = np.sum([padded[i : i + height] for i in range(5)], axis=0)
    total: NDArray[np.floating[Any]] = np.sum([rows[:, i : i + width] for i in range(5)], axis=0)
    return total / 25.0


@lru_cache(maxsize=256)
def cutout_mask(path: Path) -> NDArray[np.bool_]:
    """Return which pixels of a cut-out belong to the object."""
    return np.asarray(cutout_pixels(path).getchannel("A")) > 127


def scaled_cutout(cutout: Cutout, width: float) -> Image.Image:
    """Return the cut-out at the next cached size above the wanted width."""
    steps = math.ceil(math.log(max(width, 1.0) / cutout.width, _STEP))
    return _at_step(cutout.path, steps)


@lru_cache(maxsize=_CACHED_SIZES)
def _at_step(path: Path, steps: int) -> Image.Image:
    image = cutout_pixels(path)
    factor = _STEP**steps
    size = max(1, round(image.width * factor)), max(1, round(image.height * factor))
    if steps <= 0:
        return image if steps == 0 else image.resize(size, Image.Resampling.LANCZOS)
    large = image.resize(size, Image.Resampling.LANCZOS)
    large.putalpha(_rounded(large.getchannel("A"), factor))
    return large


def _rounded(alpha: Image.Image, factor: float) -> Image.Image:
    """Smooth the steps that enlarging makes of an outline's pixels, and keep the edge crisp."""
    soft = np.asarray(alpha.filter(ImageFilter.GaussianBlur(0.75 * factor)), dtype=np.float32)
    crisp = (soft - 127.0) * (1.0 + 0.8 * factor) + 127.0
    return Image.fromarray(crisp.clip(0.0, 255.0).astype(np.uint8))
