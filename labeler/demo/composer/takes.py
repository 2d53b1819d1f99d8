"""Taking a finished scene once more: mirrored, from a step aside, in other light."""

from functools import lru_cache
from random import Random

from PIL import Image

IntColour = tuple[int, int, int]

# How much of the scene another take shows, in each direction.
_PART = 8 / 9
# The light of noon, evening, shade, haze, dusk and a lamp; and how much of it may lie on a scene.
_LIGHTS: tuple[IntColour, ...] = (
    (255, 250, 240),
    (255, 190, 120),
    (120, 150, 190),
    (205, 215, 225),
    (40, 45, 70),
    (250, 225, 170),
)
_FAINTEST, _STRONGEST = 0.02, 0.17


def photo_variant(picture: Image.Image, *, rng: Random, mirrored: bool) -> Image.Image:
    """The same scene as another photograph of it, at a fraction of the cost of a new scene."""
    width, height = round(picture.width * _PART), round(picture.height * _PART)
    left = rng.randint(0, picture.width - width)
    top = rng.randint(0, picture.height - height)
    part = picture.crop((left, top, left + width, top + height))
    turned = part.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if mirrored else part
    light = _solid_colour(turned.size, rng.choice(_LIGHTS))
    return Image.blend(turned, light, rng.uniform(_FAINTEST, _STRONGEST))


@lru_cache(maxsize=32)
def _solid_colour(size: tuple[int, int], colour: IntColour) -> Image.Image:
    return Image.new("RGB", size, colour)
