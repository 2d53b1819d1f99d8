"""Taking a finished scene once more: mirrored, from a step aside, in other light."""

from random import Random

import numpy as np
from PIL import Image

# How much of the scene another take shows, in each direction.
_PART = 8 / 9
# The grey about which contrast turns.
_MIDDLE = 118.0
_VALUES = np.arange(256.0)


def another_take(picture: Image.Image, *, rng: Random, mirrored: bool) -> Image.Image:
    """The same scene as another photograph of it, at a fraction of the cost of a new scene."""
    width, height = round(picture.width * _PART), round(picture.height * _PART)
    left = rng.randint(0, picture.width - width)
    top = rng.randint(0, picture.height - height)
    part = picture.crop((left, top, left + width, top + height))
    turned = part.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if mirrored else part
    return turned.point(_light(rng))


def _light(rng: Random) -> list[int]:
    """For each channel what its values become in brighter or dimmer, warmer or cooler light."""
    gain, contrast = rng.uniform(0.86, 1.14), rng.uniform(0.9, 1.1)
    warmth = rng.uniform(-0.06, 0.06)
    tint = gain * np.array([[1 + warmth], [1.0], [1 - warmth]])
    values = tint * (contrast * (_VALUES - _MIDDLE) + _MIDDLE)
    table: list[int] = values.round().clip(0, 255).astype(int).ravel().tolist()
    return table
