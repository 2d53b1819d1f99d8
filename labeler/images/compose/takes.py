"""Taking a finished scene once more: mirrored, a little closer, in other light."""

from random import Random

from PIL import Image

from labeler.images.compose.light import colour_matrix, recolour
from labeler.images.compose.plan import ColourShift

# Closer than this and the scene's subject could leave the picture.
_CLOSEST = 0.86


def another_take(picture: Image.Image, *, rng: Random, mirrored: bool) -> Image.Image:
    """The same scene as another photograph of it, at a fraction of the cost of a new scene."""
    width, height = picture.size
    part = rng.uniform(_CLOSEST, 0.98)
    left, top = rng.uniform(0, width * (1 - part)), rng.uniform(0, height * (1 - part))
    box = (left, top, left + width * part, top + height * part)
    closer = picture.resize(picture.size, Image.Resampling.BILINEAR, box=box)
    turned = closer.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if mirrored else closer
    light = ColourShift(
        brightness=rng.uniform(0.88, 1.12),
        contrast=rng.uniform(0.92, 1.08),
        saturation=rng.uniform(0.85, 1.15),
        warmth=rng.uniform(-0.05, 0.05),
    )
    return recolour(turned, colour_matrix(light))
