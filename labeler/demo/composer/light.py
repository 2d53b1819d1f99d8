"""Colour changes, vignettes and grain, each as one fast pass over a picture."""

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops

from labeler.demo.composer.plan import ColourShift

_LUMA = (0.299, 0.587, 0.114)
_GRAIN_ROOM = 64
_MIDDLE = 128

ColourMatrix = tuple[float, ...]


def colour_matrix(
    shift: ColourShift, *, haze: float = 0.0, air: ColourMatrix = (0, 0, 0)
) -> ColourMatrix:
    """Join all colour changes, and a veil of air, in one matrix for Pillow's conversion."""
    warm = (1.0 + shift.warmth, 1.0, 1.0 - shift.warmth)
    rows: list[float] = []
    for channel in range(3):
        gain = shift.brightness * shift.contrast * warm[channel] * (1.0 - haze)
        grey = [(1.0 - shift.saturation) * luma for luma in _LUMA]
        grey[channel] += shift.saturation
        # Contrast turns about a middle grey, which must not move.
        lift = 118.0 * (1.0 - shift.contrast) * shift.brightness * (1.0 - haze)
        rows += [*(gain * weight for weight in grey), lift + haze * air[channel]]
    return tuple(rows)


def apply_colour_matrix(image: Image.Image, matrix: ColourMatrix) -> Image.Image:
    """Apply a colour matrix to an RGB picture."""
    return image.convert("RGB", matrix)


def add_vignette(image: Image.Image, strength: float) -> Image.Image:
    """Darken the corners."""
    return ImageChops.multiply(image, _corners(image.size, round(strength * 20)))


@lru_cache(maxsize=64)
def _corners(size: tuple[int, int], twentieths: int) -> Image.Image:
    across = np.linspace(-1.0, 1.0, size[0])[None, :]
    down = np.linspace(-1.0, 1.0, size[1])[:, None]
    away = np.clip((across**2 + down**2 - 0.35) / 1.65, 0.0, 1.0)
    mask = 255.0 * (1.0 - twentieths / 20 * away**1.2)
    return Image.merge("RGB", [Image.fromarray(mask.astype(np.uint8))] * 3)


def add_grain(image: Image.Image, *, levels: float, seed: int) -> Image.Image:
    """Add the noise of a sensor, `levels` grey levels strong."""
    width, height = image.size
    left, top = seed % _GRAIN_ROOM, (seed >> 12) % _GRAIN_ROOM
    noise = _noise((width + _GRAIN_ROOM, height + _GRAIN_ROOM), round(2 * levels))
    part = noise.crop((left, top, left + width, top + height))
    return ImageChops.add(image, part, offset=-_MIDDLE)


@lru_cache(maxsize=32)
def _noise(size: tuple[int, int], half_levels: int) -> Image.Image:
    """Make grey noise about a middle value, of which each picture takes another part."""
    rng = np.random.Generator(np.random.PCG64(7))
    values = rng.standard_normal((size[1], size[0]), dtype=np.float32) * (half_levels / 2)
    grey = Image.fromarray((values + _MIDDLE).clip(0, 255).astype(np.uint8))
    return Image.merge("RGB", [grey] * 3)
