"""Smooth noise and gradients, from which the backgrounds of the demo are painted."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

GreyPlane = NDArray[np.floating[Any]]
"""One value per pixel, rows first."""

Canvas = NDArray[np.floating[Any]]
"""Three values from 0 to 255 per pixel, rows first."""

CanvasShape = tuple[int, int]
"""Height and width in pixels."""

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 255."""

Rng = np.random.Generator


def value_noise(rng: Rng, shape: CanvasShape, cells: CanvasShape) -> GreyPlane:
    """Return smooth noise from 0 to 1 with about `cells` bumps down and across."""
    rows, columns = max(2, cells[0]), max(2, cells[1])
    lattice = Image.fromarray(rng.random((rows, columns), dtype=np.float32))
    height, width = shape
    smooth: GreyPlane = np.asarray(lattice.resize((width, height), Image.Resampling.BICUBIC))
    return smooth.clip(0.0, 1.0)


def fractal(
    rng: Rng, shape: CanvasShape, cells: CanvasShape, *, octaves: int = 4, gain: float = 0.5
) -> GreyPlane:
    """Sum noise of ever finer grain, and stretch it to cover 0 to 1."""
    total = np.zeros(shape, dtype=np.float32)
    for octave in range(octaves):
        finer = (cells[0] << octave, cells[1] << octave)
        total += np.float32(gain**octave) * value_noise(rng, shape, finer)
    low, high = float(total.min()), float(total.max())
    return (total - low) / max(high - low, 1e-6)


def smoothstep(low: float, high: float, values: GreyPlane) -> GreyPlane:
    """Rise softly from 0 at `low` to 1 at `high`."""
    t: GreyPlane = ((values - low) / (high - low)).clip(0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def paint_lit(colour: Colour, light: GreyPlane) -> Canvas:
    """Paint a canvas in one colour, brighter or darker at every pixel."""
    return light[..., None].astype(np.float32) * np.asarray(colour, dtype=np.float32)


def fill_canvas(shape: CanvasShape, colour: Colour) -> Canvas:
    """Fill a canvas with one colour."""
    return np.full((*shape, 3), colour, dtype=np.float32)


def vertical_gradient(shape: CanvasShape, stops: Sequence[tuple[float, Colour]]) -> Canvas:
    """Run through colours from top to bottom; a stop is a place from 0 to 1 and its colour."""
    height, width = shape
    places = [place for place, _ in stops]
    rows = np.linspace(0.0, 1.0, height)
    channels = [np.interp(rows, places, [colour[i] for _, colour in stops]) for i in range(3)]
    column = np.stack(channels, axis=1).astype(np.float32)
    return np.repeat(column[:, None, :], width, axis=1)


def mix(under: Canvas, over: Canvas | Colour, weight: GreyPlane) -> Canvas:
    """Blend `over` onto `under` by a weight from 0 to 1."""
    mixed = np.asarray(over, dtype=np.float32) - under
    mixed *= weight[..., None].astype(np.float32)
    mixed += under
    return mixed


def shade(canvas: Canvas, light: GreyPlane) -> Canvas:
    """Brighten or darken every pixel by its own factor."""
    return canvas * light[..., None].astype(np.float32)


def blur(canvas: Canvas, radius: float) -> Canvas:
    """Blur the whole canvas."""
    image = as_image(canvas)
    # A strong blur leaves no detail, and a smaller image blurs faster.
    shrink = 4 if radius >= 4.0 else 2 if radius >= 2.0 else 1
    soft = image.reduce(shrink).filter(ImageFilter.GaussianBlur(radius / shrink))
    return as_canvas(soft.resize(image.size, Image.Resampling.BICUBIC) if shrink > 1 else soft)


def half_size(shape: CanvasShape) -> CanvasShape:
    """Return a smaller size at which to paint what is blurred later."""
    return shape[0] // 2, shape[1] // 2


def enlarged(canvas: Canvas, shape: CanvasShape) -> Canvas:
    """Scale a canvas that was painted small to its full size."""
    size = shape[1], shape[0]
    return as_canvas(as_image(canvas).resize(size, Image.Resampling.BICUBIC))


def as_image(canvas: Canvas) -> Image.Image:
    """Turn a canvas into a picture."""
    return Image.fromarray(np.clip(canvas, 0.0, 255.0).astype(np.uint8))


def as_canvas(image: Image.Image) -> Canvas:
    """Turn a picture into a canvas."""
    return np.asarray(image, dtype=np.float32)


def vary_colour(rng: Rng, colour: Colour, strength: float = 0.08) -> Colour:
    """Move a colour a little in brightness and hue."""
    light = 1.0 + strength * float(rng.uniform(-1.0, 1.0))
    red, green, blue = (
        channel * light * (1.0 + 0.5 * strength * float(rng.uniform(-1.0, 1.0)))
        for channel in colour
    )
    return red, green, blue


def pick_colour(rng: Rng, colours: Sequence[Colour]) -> Colour:
    """Choose one of the colours and vary it."""
    return vary_colour(rng, colours[int(rng.integers(len(colours)))])
