"""Outdoor scenes for animals, plants and vehicles."""

import numpy as np
from PIL import ImageDraw

from labeler.demo.composer.noise import (
    Canvas,
    CanvasShape,
    Colour,
    Rng,
    as_canvas,
    as_image,
    blur,
    enlarged,
    fill_canvas,
    fractal,
    half_size,
    mix,
    paint_lit,
    pick_colour,
    shade,
    smoothstep,
    vary_colour,
)
from labeler.demo.composer.skies import bokeh, hills, ridge, sky, tree_line, water
from labeler.demo.composer.surfaces import asphalt, sand, snow, soil, tilt_surface, turf

TEXTURE: CanvasShape = (300, 400)
_GREENS: tuple[Colour, ...] = ((110, 150, 66), (128, 160, 76), (98, 140, 70), (142, 162, 84))
_STRAWS: tuple[Colour, ...] = ((184, 158, 98), (170, 148, 86), (196, 166, 106))
FOLIAGE: tuple[Colour, ...] = ((62, 92, 50), (74, 104, 54), (54, 84, 58))


def lay_ground(back: Canvas, ground: Canvas, horizon: float, *, softness: float = 3.0) -> Canvas:
    """Paste the ground onto the lower part of the canvas, with a soft edge."""
    height, width = back.shape[:2]
    top = height - ground.shape[0]
    lower = np.concatenate([np.repeat(ground[:1], top, axis=0), ground])
    rows = np.arange(height)[:, None] - horizon * height
    return mix(back, lower, smoothstep(0.0, softness, np.repeat(rows, width, axis=1)))


def blur_distance(canvas: Canvas, horizon: float, radius: float) -> Canvas:
    """Blur the far ground, and leave the near ground sharp."""
    height, width = canvas.shape[:2]
    near = np.linspace(0.0, 1.0, height)[:, None]
    sharp = smoothstep(horizon + 0.02, horizon + 0.55 * (1.0 - horizon), near)
    return mix(blur(canvas, radius), canvas, np.repeat(sharp, width, axis=1))


def aerial_perspective(ground: Canvas, colour: Colour, strength: float = 0.45) -> Canvas:
    """Let the far end of a ground fade into the air, and the near end darken."""
    height, width = ground.shape[:2]
    depth = np.linspace(1.0, 0.0, height)[:, None]
    hazy = mix(ground, colour, np.repeat(strength * depth**1.5, width, axis=1))
    return shade(hazy, np.repeat(0.86 + 0.14 * depth, width, axis=1))


def ground_shape(shape: CanvasShape, horizon: float) -> CanvasShape:
    """Return the size of the part below the horizon."""
    return shape[0] - int(horizon * shape[0]), shape[1]


def _blades(rng: Rng, canvas: Canvas, horizon: float, colour: Colour, count: int) -> Canvas:
    """Draw blades of grass that grow longer towards the viewer."""
    height, width = canvas.shape[:2]
    image = as_image(canvas)
    draw = ImageDraw.Draw(image)
    depths = np.sort(rng.random(count) ** 0.8)
    across, lean, tone = (
        rng.random(count),
        rng.normal(0, 0.35, count),
        rng.uniform(0.62, 1.34, count),
    )
    for depth, x, slant, light in zip(depths, across, lean, tone, strict=True):
        length = 2.0 + 20.0 * depth**1.3
        foot = height * (horizon + (1.06 - horizon) * depth)
        fill = tuple(min(255, int(channel * light)) for channel in colour)
        tip = (x * width + slant * length, foot - length)
        draw.line([(x * width, foot), tip], fill=fill, width=1 if depth < 0.6 else 2)
    return as_canvas(image)


def _grassland(rng: Rng, back: Canvas, horizon: float, colour: Colour) -> Canvas:
    shape = back.shape[0], back.shape[1]
    ground = ground_shape(shape, horizon)
    near = aerial_perspective(tilt_surface(turf(rng, TEXTURE, colour), ground), _paler(colour))
    grown = _blades(rng, lay_ground(back, near, horizon), horizon, colour, 2200)
    return mix(grown, lay_ground(back, near, horizon), np.full(shape, 0.35))


def _paler(colour: Colour) -> Colour:
    red, green, blue = (0.55 * channel + 0.45 * 214 for channel in colour)
    return red, green, blue


def add_distant(back: Canvas, shape: CanvasShape, radius: float) -> Canvas:
    """Scale a small background to full size, blur it, and paste the ground onto it."""
    return enlarged(blur(back, radius), shape)


def meadow(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """Green grass before trees and hills."""
    back = hills(rng, sky(rng, half_size(shape), horizon), horizon, (98, 126, 104))
    if rng.random() < 0.75:
        back = tree_line(rng, back, horizon, pick_colour(rng, FOLIAGE))
    scene = _grassland(
        rng, add_distant(back, shape, 1.6 - 0.9 * clutter), horizon, pick_colour(rng, _GREENS)
    )
    return blur_distance(scene, horizon, 3.0 - 2.0 * clutter)


def savanna(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """Dry grass under a warm sky, with a few dark shrubs far off."""
    back = hills(rng, sky(rng, half_size(shape), horizon), horizon, (150, 134, 108))
    shrubs = ridge(rng, half_size(shape), base=horizon + 0.03, rise=0.09 + 0.06 * clutter, rough=16)
    back = mix(back, pick_colour(rng, ((112, 108, 66), (124, 106, 70))), 0.9 * shrubs)
    scene = _grassland(
        rng, add_distant(back, shape, 1.7 - 0.9 * clutter), horizon, pick_colour(rng, _STRAWS)
    )
    return blur_distance(scene, horizon, 3.0 - 2.0 * clutter)


def forest(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """Trunks and leaves out of focus above a floor of fallen leaves."""
    small = half_size(shape)
    foliage = fractal(rng, small, (7, 9), octaves=4, gain=0.6)
    dark = pick_colour(rng, ((40, 58, 36), (50, 60, 40)))
    light = pick_colour(rng, ((148, 172, 98), (176, 178, 112)))
    back = mix(fill_canvas(small, dark), light, smoothstep(0.2, 0.95, foliage))
    for _ in range(int(rng.integers(4, 8) + 4 * clutter)):
        back = _trunk(rng, back)
    soft = add_distant(back, shape, 2.8 - 1.5 * clutter)
    back = bokeh(rng, soft, (226, 230, 176), count=26, reach=horizon)
    ground = tilt_surface(soil(rng, TEXTURE), ground_shape(shape, horizon), 2.2)
    scene = lay_ground(
        back, aerial_perspective(ground, (112, 112, 74), 0.5), horizon, softness=26.0
    )
    return blur_distance(scene, horizon, 3.2 - 2.2 * clutter)


def _trunk(rng: Rng, canvas: Canvas) -> Canvas:
    height, width = canvas.shape[:2]
    middle, girth = rng.uniform(0, width), rng.uniform(0.012, 0.05) * width
    lean = float(rng.normal(0, 0.06)) * np.arange(height)[:, None]
    offset = (np.arange(width)[None, :] - middle - lean) / girth
    mask = 1.0 - smoothstep(0.8, 1.1, np.abs(offset))
    bark = paint_lit(pick_colour(rng, ((86, 72, 56), (104, 94, 80))), 0.85 - 0.3 * offset)
    return mix(canvas, bark, 0.85 * mask)


def shore(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """A grassy or sandy bank at the edge of a lake."""
    hilly = hills(rng, sky(rng, half_size(shape), horizon), horizon, (104, 124, 118))
    far = add_distant(
        tree_line(rng, hilly, horizon, pick_colour(rng, FOLIAGE)), shape, 1.7 - 0.9 * clutter
    )
    lake = lay_ground(
        far, water(rng, ground_shape(shape, horizon), _mirrored(far, horizon)), horizon
    )
    bank = horizon + 0.3 * (1.0 - horizon)
    if rng.random() < 0.5:
        near = _grassland(rng, lake, bank, pick_colour(rng, _GREENS))
    else:
        wet = tilt_surface(sand(rng, TEXTURE), ground_shape(shape, bank))
        near = lay_ground(lake, aerial_perspective(wet, (128, 122, 110), 0.5), bank, softness=14.0)
    edge = ridge(rng, shape, base=bank + 0.03, rise=0.05, rough=5)
    return blur_distance(mix(lake, near, edge), horizon, 2.6 - 1.6 * clutter)


def _mirrored(canvas: Canvas, horizon: float) -> Canvas:
    """Mirror the part above the horizon, and stretch it over the part below."""
    height = canvas.shape[0]
    line = int(horizon * height)
    rows = line - 1 - np.minimum(np.arange(height - line), line - 1)
    mirrored: Canvas = canvas[rows]
    return mirrored


def beach(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """Sand before a surf line and the open sea."""
    air = enlarged(sky(rng, half_size(shape), horizon), shape)
    deep = pick_colour(rng, ((52, 116, 152), (64, 132, 150), (74, 120, 140)))
    sea_shape = ground_shape(shape, horizon)
    sea = water(rng, sea_shape, fill_canvas(sea_shape, deep))
    line = horizon + float(rng.uniform(0.16, 0.3)) * (1.0 - horizon)
    ground = tilt_surface(sand(rng, TEXTURE), ground_shape(shape, line))
    scene = lay_ground(air, sea, horizon)
    surf = ridge(rng, shape, base=line + 0.02, rise=0.04, rough=5)
    wash = ridge(rng, shape, base=line + 0.05 + 0.02 * clutter, rise=0.05, rough=6)
    scene = mix(scene, (242, 246, 246), 0.9 * surf)
    scene = mix(
        scene, lay_ground(scene, aerial_perspective(ground, (206, 196, 176), 0.3), line), wash
    )
    return blur_distance(scene, horizon, 2.6 - 1.6 * clutter)


def snowfield(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """Snow before pale mountains or firs."""
    back = hills(rng, sky(rng, half_size(shape), horizon), horizon, (134, 152, 178))
    if rng.random() < 0.3 + 0.4 * clutter:
        back = tree_line(rng, back, horizon, (78, 96, 100))
    ground = tilt_surface(snow(rng, TEXTURE), ground_shape(shape, horizon))
    scene = lay_ground(
        add_distant(back, shape, 1.6 - 0.9 * clutter),
        aerial_perspective(ground, (228, 234, 242), 0.5),
        horizon,
    )
    return blur_distance(scene, horizon, 2.4)


def desert(rng: Rng, shape: CanvasShape, horizon: float, clutter: float) -> Canvas:
    """Dunes under a wide sky."""
    colour = pick_colour(rng, ((204, 160, 104), (214, 172, 118)))
    back = hills(rng, sky(rng, half_size(shape), horizon), horizon, colour)
    ground = tilt_surface(sand(rng, TEXTURE), ground_shape(shape, horizon))
    warm = ground * (np.asarray(colour) / np.asarray((222, 190, 146)))
    scene = lay_ground(
        add_distant(back, shape, 1.5 - 0.9 * clutter),
        aerial_perspective(warm, _paler(colour), 0.4),
        horizon,
    )
    return blur_distance(scene, horizon, 2.6 - 1.6 * clutter)


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
