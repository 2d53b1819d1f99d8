"""Places indoors: a table, a room, a tiled room, a photographer's studio."""

from collections.abc import Callable

import numpy as np
from PIL import ImageDraw

from labeler.demo.composer.landscapes import TEXTURE, add_distant, blur_distance, lay_ground
from labeler.demo.composer.noise import (
    Canvas,
    CanvasShape,
    Colour,
    Rng,
    as_canvas,
    as_image,
    fractal,
    half_size,
    mix,
    paint_lit,
    pick_colour,
    shade,
    smoothstep,
    vary_colour,
    vertical_gradient,
)
from labeler.demo.composer.skies import bokeh
from labeler.demo.composer.surfaces import linen, planks, soft_light, stone, tiles, tilt_surface

_PAINTS: tuple[Colour, ...] = (
    (214, 206, 192),
    (186, 196, 190),
    (176, 188, 202),
    (216, 196, 176),
    (168, 160, 152),
    (198, 204, 208),
)
_THINGS: tuple[Colour, ...] = (
    (132, 94, 66),
    (96, 112, 122),
    (178, 142, 102),
    (88, 104, 78),
    (164, 96, 76),
    (206, 196, 180),
    (74, 74, 82),
)
_SWEEPS: tuple[Colour, ...] = (
    (206, 206, 204),
    (188, 198, 206),
    (212, 200, 184),
    (172, 184, 176),
    (196, 184, 194),
    (122, 132, 146),
    (222, 216, 206),
)
_Box = tuple[float, float, float, float]


def table(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """A table top of wood, stone or cloth in a room out of focus."""
    wall = _furnished(rng, half_size(shape), horizon + 0.15, clutter)
    back = bokeh(
        rng, add_distant(wall, shape, 4.5 - 2.5 * clutter), (252, 232, 196), count=9, reach=horizon
    )
    top = _material(rng)
    board = tilt_surface(top, (shape[0] - int(horizon * shape[0]), shape[1]), 1.7)
    polished = _sheen(board, back[max(int(horizon * shape[0]) - 20, 0)].mean(axis=0))
    return blur_distance(
        lay_ground(back, polished, horizon, softness=5.0), horizon, 3.6 - 2.0 * clutter
    )


def _material(rng: Rng) -> Canvas:
    materials: tuple[Callable[[Rng, CanvasShape], Canvas], ...] = (planks, planks, stone, linen)
    return materials[int(rng.integers(len(materials)))](rng, TEXTURE)


def _sheen(board: Canvas, glow: Canvas) -> Canvas:
    """Let the far part of a table mirror the light of the room."""
    height, width = board.shape[:2]
    depth = np.linspace(1.0, 0.0, height)[:, None] ** 1.4
    return mix(board, glow, np.repeat(0.5 * depth, width, axis=1))


def _furnished(rng: Rng, shape: CanvasShape, floor: float, clutter: float) -> Canvas:
    """A wall with a window, a picture, a shelf: shapes that the lens will blur."""
    paint = pick_colour(rng, _PAINTS)
    wall = paint_lit(paint, soft_light(rng, shape, 0.3))
    image = as_image(wall)
    draw = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(2, 4) + 4 * clutter)):
        _thing(rng, draw, shape, floor)
    if rng.random() < 0.65:
        _window(rng, draw, shape)
    return as_canvas(image)


def _thing(rng: Rng, draw: ImageDraw.ImageDraw, shape: CanvasShape, floor: float) -> None:
    """Put a cupboard, vase or chair against the wall, or hang a picture on it."""
    height, width = shape
    x, wide = rng.uniform(-0.1, 0.95) * width, rng.uniform(0.08, 0.26) * width
    colour = tuple(int(c) for c in vary_colour(rng, pick_colour(rng, _THINGS), 0.15))
    if rng.random() < 0.4:
        y, tall = rng.uniform(0.04, 0.2) * height, rng.uniform(0.1, 0.2) * height
        draw.rectangle((x, y, x + wide, y + tall), fill=colour)
    else:
        top = (floor - rng.uniform(0.1, 0.34)) * height
        draw.rounded_rectangle((x, top, x + wide, height), radius=4, fill=colour)


def _window(rng: Rng, draw: ImageDraw.ImageDraw, shape: CanvasShape) -> None:
    height, width = shape
    left, wide = rng.uniform(0.0, 0.75) * width, rng.uniform(0.16, 0.3) * width
    tall = rng.uniform(0.22, 0.4) * height
    box: _Box = (left, 0.02 * height, left + wide, 0.02 * height + tall)
    draw.rectangle(box, fill=(246, 244, 234), outline=(226, 222, 212), width=3)
    draw.line((left + wide / 2, box[1], left + wide / 2, box[3]), fill=(216, 212, 204), width=3)


def _walled(rng: Rng, shape: CanvasShape, horizon: float, clutter: float, floor: Canvas) -> Canvas:
    """Set a wall with a skirting board behind a floor."""
    height, width = shape
    back = add_distant(
        _furnished(rng, half_size(shape), horizon, clutter), shape, 2.8 - 1.5 * clutter
    )
    rows = np.arange(height)[:, None] / height
    board = smoothstep(horizon - 0.035, horizon - 0.028, rows)
    back = mix(back, (226, 222, 214), np.repeat(0.85 * board, width, axis=1))
    ground = _sheen(
        tilt_surface(floor, (height - int(horizon * height), width), 2.0),
        np.array((206, 200, 190)) * 0.8,
    )
    return blur_distance(lay_ground(back, ground, horizon), horizon, 2.6 - 1.4 * clutter)


def room(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """A living room with a wooden floor."""
    return _walled(rng, shape, horizon, clutter, planks(rng, TEXTURE, boards=12))


def tiled_room(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """A kitchen or bathroom with a tiled floor."""
    return _walled(rng, shape, horizon, clutter * 0.6, tiles(rng, TEXTURE))


def studio(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """A paper sweep without a corner, lit by one soft lamp."""
    height, width = shape
    paper = pick_colour(rng, _SWEEPS)
    low = (paper[0] * 1.08, paper[1] * 1.08, paper[2] * 1.08)
    dim = (paper[0] * 0.78, paper[1] * 0.78, paper[2] * 0.8)
    sweep = vertical_gradient(
        shape, [(0.0, dim), (horizon, paper), (horizon + 0.16, low), (1.0, paper)]
    )
    x0, y0 = float(rng.uniform(0.25, 0.75)), float(rng.uniform(0.15, 0.5))
    across = np.linspace(0, 1, width)[None, :] - x0
    down = np.linspace(0, 1, height)[:, None] - y0
    lamp = np.exp(-(across**2 + down**2) / 0.22)
    mottle = fractal(rng, shape, (3, 4), octaves=3) - 0.5
    return shade(sweep, 0.84 + 0.26 * lamp + (0.05 + 0.16 * clutter) * mottle)
