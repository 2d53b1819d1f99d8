"""Turning a plan into a picture."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageFilter

from labeler.demo.composer.backgrounds import BACKDROP_SIZE, Painter, cached_paint
from labeler.demo.composer.cutouts import Cutout
from labeler.demo.composer.geometry import rotated_extent, to_source
from labeler.demo.composer.plan import (
    BackdropView,
    ColourShift,
    PicturePlan,
    PlacedObject,
    Pose,
    PostProcessing,
)
from labeler.demo.composer.scenes import STAGING, Posture
from labeler.demo.composer.shadows import cast_shadow
from labeler.demo.composer.sprites import scaled_cutout

_LUMA = (0.299, 0.587, 0.114)
_GRAIN_ROOM = 64
_MIDDLE = 128

ColourMatrix = tuple[float, ...]


def colour_matrix(
    shift: ColourShift, *, haze: float = 0.0, air: ColourMatrix = (0, 0, 0)
) -> ColourMatrix:
    """Combine all colour changes and haze in one matrix for Pillow's conversion."""
    warm = (1.0 + shift.warmth, 1.0, 1.0 - shift.warmth)
    rows: list[float] = []
    for channel in range(3):
        gain = shift.brightness * shift.contrast * warm[channel] * (1.0 - haze)
        grey = [(1.0 - shift.saturation) * luma for luma in _LUMA]
        grey[channel] += shift.saturation
        # Contrast must leave middle grey unchanged.
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
    """Create grey noise around a middle value, of which each image uses a different part."""
    rng = np.random.Generator(np.random.PCG64(7))
    values = rng.standard_normal((size[1], size[0]), dtype=np.float32) * (half_levels / 2)
    grey = Image.fromarray((values + _MIDDLE).clip(0, 255).astype(np.uint8))
    return Image.merge("RGB", [grey] * 3)


_TUFT_WIDTH = 512
_TUFT_HEIGHT = 24
_LEAST_BLUR = 0.25
_CACHED_POSES = 64


def render_picture(
    plan: PicturePlan, cutouts: Sequence[Cutout], *, painter: Painter = cached_paint
) -> Image.Image:
    """Draw a planned picture with the cut-outs it was planned from."""
    by_file = {cutout.file: cutout for cutout in cutouts}
    picture = _backdrop(plan.view, plan.size, painter)
    air = _mean_colour(plan.view, painter)
    for placed in plan.objects:
        _draw(picture, placed, by_file[placed.file], plan.view, air)
    return _post_process(picture, plan.finish)


def _backdrop(view: BackdropView, size: tuple[int, int], painter: Painter) -> Image.Image:
    scale = size[0] / (view.crop[2] - view.crop[0])
    whole = painter(
        view.backdrop, (round(BACKDROP_SIZE[0] * scale), round(BACKDROP_SIZE[1] * scale))
    )
    left, top = int(view.crop[0] * scale), int(view.crop[1] * scale)
    part = whole.crop((left, top, left + size[0], top + size[1]))
    return part.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if view.flip else part


def _mean_colour(view: BackdropView, painter: Painter) -> ColourMatrix:
    """Return the colour of the light that the surroundings reflect."""
    pixel = painter(view.backdrop, (1, 1)).getpixel((0, 0))
    assert isinstance(pixel, tuple)
    return pixel


def _draw(
    picture: Image.Image,
    placed: PlacedObject,
    cutout: Cutout,
    view: BackdropView,
    air: ColourMatrix,
) -> None:
    """Paste an object and its shadow into the image."""
    staging = STAGING[view.backdrop.kind]
    source = scaled_cutout(cutout, placed.pose.width)
    if staging.posture is not Posture.FLOATS:
        corner, mask = cast_shadow(
            source, placed.pose, size=picture.size, posture=staging.posture, light=view.light
        )
        dark = tuple(int(0.16 * channel) for channel in air)
        picture.paste(dark, (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)
    left, top, sprite = _posed(cutout, placed.pose)
    alpha = sprite.getchannel("A")
    if staging.tufts:
        alpha = _hide_feet(alpha, placed.pose)
    matrix = colour_matrix(placed.colour, haze=staging.haze, air=air)
    picture.paste(apply_colour_matrix(sprite.convert("RGB"), matrix), (left, top), alpha)


def _posed(cutout: Cutout, pose: Pose) -> tuple[int, int, Image.Image]:
    """Scale, mirror and rotate a cut-out; return its corner in the image and its pixels."""
    sprite = _turned(cutout, replace(pose, x=0.0, y=0.0))
    return round(pose.x - sprite.width / 2), round(pose.y - sprite.height / 2), sprite


@lru_cache(maxsize=_CACHED_POSES)
def _turned(cutout: Cutout, pose: Pose) -> Image.Image:
    """Draw a cut-out in the middle of a picture just large enough for it."""
    source = scaled_cutout(cutout, pose.width)
    wide, tall = rotated_extent(pose.width, pose.height, pose.rotation)
    size = int(wide) + 3, int(tall) + 3
    affine = to_source(pose, left=-size[0] / 2, top=-size[1] / 2, source=source.size)
    return source.transform(size, Image.Transform.AFFINE, affine, Image.Resampling.BILINEAR)


def _hide_feet(alpha: Image.Image, pose: Pose) -> Image.Image:
    """Hide the lower edge of an object behind grass or fallen leaves."""
    depth = max(3, min(round(0.05 * alpha.height), _TUFT_HEIGHT))
    start = int(abs(pose.x) * 7) % (_TUFT_WIDTH - 1)
    blades = ImageChops.offset(_tufts(), -start, 0).resize(
        (alpha.width, depth), box=(0, 0, min(alpha.width, _TUFT_WIDTH), _TUFT_HEIGHT)
    )
    cover = Image.new("L", alpha.size, 255)
    cover.paste(blades, (0, alpha.height - depth))
    return ImageChops.multiply(alpha, cover)


@lru_cache(maxsize=1)
def _tufts() -> Image.Image:
    """A strip of blade tips: white above them, black below."""
    rng = np.random.Generator(np.random.PCG64(11))
    tips = rng.uniform(0.15, 1.0, _TUFT_WIDTH)
    rows = np.linspace(0.0, 1.0, _TUFT_HEIGHT)[:, None]
    strip = np.where(rows < tips[None, :], 255, 30).astype(np.uint8)
    return Image.fromarray(strip).filter(ImageFilter.GaussianBlur(0.7))


def _post_process(picture: Image.Image, finish: PostProcessing) -> Image.Image:
    graded = add_vignette(
        apply_colour_matrix(picture, colour_matrix(finish.grade)), finish.vignette
    )
    if finish.blur > _LEAST_BLUR:
        graded = graded.filter(ImageFilter.BoxBlur(finish.blur))
    if finish.noise > 0.0:
        graded = add_grain(graded, levels=finish.noise, seed=finish.noise_seed)
    return graded
