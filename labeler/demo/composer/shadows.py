"""The soft shadows of objects on the surface below them."""

from PIL import Image, ImageChops, ImageFilter

from labeler.demo.composer.geometry import Affine, rotated_extent, to_source
from labeler.demo.composer.plan import Pose
from labeler.demo.composer.scenes import Posture

_COARSE = 4
"""Shadows have no detail: they are drawn this many times smaller than the picture."""


def cast_shadow(
    sprite: Image.Image, pose: Pose, *, size: tuple[int, int], posture: Posture, light: float
) -> tuple[tuple[int, int], Image.Image]:
    """Return the corner of an object's shadow in a picture, and its strength at every pixel."""
    small = -(-size[0] // _COARSE), -(-size[1] // _COARSE)
    alpha = sprite.getchannel("A")
    draw = _standing if posture is Posture.STANDS else _lying
    coarse = draw(alpha, pose, small, light)
    left, top, right, low = coarse.getbbox() or (0, 0, 1, 1)
    part = coarse.crop((left, top, right, low))
    full = (right - left) * _COARSE, (low - top) * _COARSE
    return (left * _COARSE, top * _COARSE), part.resize(full, Image.Resampling.BILINEAR)


def _lying(alpha: Image.Image, pose: Pose, small: tuple[int, int], light: float) -> Image.Image:
    """Draw a shadow next to the object, as under a lamp."""
    reach = 0.035 * max(pose.width, pose.height) ** 0.5 * small[0] ** 0.5 * 1.8
    wide = _cast(alpha, pose, small, shift=(light * reach, reach), radius=reach, strength=0.42)
    tight = _cast(
        alpha,
        pose,
        small,
        shift=(light * reach * 0.25, reach * 0.3),
        radius=reach * 0.25,
        strength=0.5,
    )
    return ImageChops.lighter(wide, tight)


def _cast(
    alpha: Image.Image,
    pose: Pose,
    small: tuple[int, int],
    *,
    shift: tuple[float, float],
    radius: float,
    strength: float,
) -> Image.Image:
    """Draw an object's outline moved, softened and weakened."""
    a, b, c, d, e, f = to_source(pose, left=-shift[0], top=-shift[1], source=alpha.size)
    coarse = (a * _COARSE, b * _COARSE, c, d * _COARSE, e * _COARSE, f)
    return _softened(alpha, coarse, small, radius, strength)


def _standing(alpha: Image.Image, pose: Pose, small: tuple[int, int], light: float) -> Image.Image:
    """Draw a shadow on the ground, dark where the object touches it."""
    long = _laid(alpha, pose, flatness=0.2, lean=1.1 * light, sink=0.1)
    close = _laid(alpha, pose, flatness=0.07, lean=0.0, sink=0.3)
    width = pose.width / _COARSE
    soft = _softened(alpha, long, small, 0.035 * width + 0.8, 0.34)
    dark = _softened(alpha, close, small, 0.018 * width + 0.5, 0.6)
    return ImageChops.lighter(soft, dark)


def _laid(
    alpha: Image.Image,
    pose: Pose,
    *,
    flatness: float,
    lean: float,
    sink: float,
) -> Affine:
    """Flatten an object's outline onto the ground at its feet, leaning away from the light."""
    tall = rotated_extent(pose.width, pose.height, pose.rotation)[1]
    foot = (pose.y + tall / 2) + sink * flatness * tall
    mirror = -1.0 if pose.flip else 1.0
    across = alpha.width / pose.width
    down = alpha.height / (pose.height * flatness)
    a, b = mirror * across * _COARSE, mirror * across * lean * _COARSE
    c = alpha.width / 2 - mirror * across * (pose.x + lean * foot)
    return a, b, c, 0.0, down * _COARSE, alpha.height - down * foot


def _softened(
    alpha: Image.Image, affine: Affine, small: tuple[int, int], radius: float, strength: float
) -> Image.Image:
    outline = alpha.transform(small, Image.Transform.AFFINE, affine, Image.Resampling.BILINEAR)
    faint = Image.blend(Image.new("L", small), outline, strength)
    return faint.filter(ImageFilter.GaussianBlur(radius))
