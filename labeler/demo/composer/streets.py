"""A road in a town."""

import numpy as np
from PIL import ImageDraw

from labeler.demo.composer.landscapes import (
    FOLIAGE,
    TEXTURE,
    add_distant,
    aerial_perspective,
    blur_distance,
    ground_shape,
    lay_ground,
)
from labeler.demo.composer.noise import (
    Canvas,
    CanvasShape,
    Colour,
    Rng,
    as_canvas,
    as_image,
    half_size,
    mix,
    pick_colour,
    smoothstep,
    vary_colour,
)
from labeler.demo.composer.skies import sky, tree_line
from labeler.demo.composer.surfaces import asphalt, tilt_surface, turf

_WALLS: tuple[Colour, ...] = ((178, 150, 128), (196, 188, 174), (156, 120, 104), (160, 168, 176))


def street(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """A road before houses and trees out of focus."""
    back = _houses(rng, sky(rng, half_size(shape), horizon), horizon)
    if rng.random() < 0.8:
        back = tree_line(rng, back, horizon, pick_colour(rng, FOLIAGE))
    back = add_distant(back, shape, 2.5 - 1.4 * clutter)
    road = tilt_surface(asphalt(rng, TEXTURE), ground_shape(shape, horizon))
    scene = lay_ground(back, aerial_perspective(road, (168, 168, 166), 0.4), horizon)
    kerb = horizon + 0.1 * (1.0 - horizon)
    rows = np.arange(shape[0])[:, None] / shape[0]
    strip = smoothstep(horizon, horizon + 0.01, rows) * (1.0 - smoothstep(kerb - 0.008, kerb, rows))
    verge = turf(rng, shape, pick_colour(rng, ((116, 132, 84), (178, 174, 166))))
    scene = mix(scene, verge, np.repeat(strip, shape[1], axis=1))
    return blur_distance(scene, horizon, 2.8 - 1.6 * clutter)


def _houses(rng: Rng, canvas: Canvas, horizon: float) -> Canvas:
    """Build a row of plain fronts with windows along the horizon."""
    height, width = canvas.shape[:2]
    image = as_image(canvas)
    draw = ImageDraw.Draw(image)
    left, foot = -float(rng.uniform(0, 0.12)) * width, horizon * height + 2
    while left < width:
        right = left + float(rng.uniform(0.13, 0.28)) * width
        top = foot - float(rng.uniform(0.35, 0.9)) * horizon * height
        wall = vary_colour(rng, pick_colour(rng, _WALLS), 0.1)
        draw.rectangle((left, top, right, foot), fill=tuple(int(c) for c in wall))
        _windows(rng, draw, (left, top, right, foot))
        left = right + float(rng.choice([0, 0, rng.uniform(0.02, 0.1)])) * width
    return as_canvas(image)


def _windows(rng: Rng, draw: ImageDraw.ImageDraw, front: tuple[float, float, float, float]) -> None:
    left, top, right, foot = front
    glass = tuple(
        int(c) for c in pick_colour(rng, ((86, 98, 112), (120, 132, 142), (222, 204, 160)))
    )
    step = float(rng.uniform(9, 13))
    for y in np.arange(top + 5, foot - 8, step * 1.2):
        for x in np.arange(left + 4.5, right - 7, step):
            draw.rectangle((x, y, x + step * 0.45, y + step * 0.65), fill=glass)
