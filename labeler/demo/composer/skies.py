"""Sky, far hills, open water and lights out of focus: what is behind and above."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from labeler.demo.composer.noise import (
    Canvas,
    CanvasShape,
    Colour,
    GreyPlane,
    Rng,
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
    vertical_gradient,
)

_SKIES: tuple[tuple[Colour, Colour], ...] = (
    ((84, 140, 204), (206, 226, 240)),
    ((110, 156, 206), (232, 234, 228)),
    ((138, 162, 188), (236, 226, 208)),
    ((120, 138, 172), (246, 214, 180)),
    ((160, 174, 188), (226, 230, 232)),
)


def sky(rng: Rng, shape: CanvasShape, horizon: float = 1.0) -> Canvas:
    """A sky that pales towards the horizon, with soft clouds."""
    top, low = _SKIES[int(rng.integers(len(_SKIES)))]
    air = vertical_gradient(
        shape, [(0.0, vary_colour(rng, top)), (max(horizon, 0.05), vary_colour(rng, low, 0.04))]
    )
    cover = float(rng.uniform(0.45, 0.75))
    clouds = smoothstep(cover, cover + 0.4, fractal(rng, shape, (5, 3), octaves=5, gain=0.55))
    bright = mix(
        fill_canvas(shape, (222, 226, 232)), (252, 251, 248), fractal(rng, shape, (4, 3), octaves=3)
    )
    return mix(air, bright, 0.85 * clouds)


def ridge(
    rng: Rng, shape: CanvasShape, *, base: float, rise: float, rough: int, gain: float = 0.5
) -> GreyPlane:
    """Mask everything below an uneven line, such as hills or tree tops."""
    height, width = shape
    line = fractal(rng, (2, width), (2, rough), octaves=5, gain=gain)[0]
    edge = (base - rise * line) * height
    return smoothstep(-1.5, 1.5, np.arange(height)[:, None] - edge[None, :])


def hills(rng: Rng, canvas: Canvas, horizon: float, colour: Colour) -> Canvas:
    """Paint two or three rows of hazy hills in front of the sky, the nearest darkest."""
    shape = canvas.shape[0], canvas.shape[1]
    haze = canvas[min(max(int(horizon * shape[0]) - 8, 0), shape[0] - 1)].mean(axis=0)
    rows = int(rng.integers(2, 4))
    for row in range(rows):
        near = (row + 1) / rows
        tone = haze + (np.asarray(vary_colour(rng, colour)) - haze) * (0.25 + 0.6 * near)
        rise = float(rng.uniform(0.08, 0.2)) * (1.35 - near)
        mask = ridge(rng, shape, base=horizon + 0.02, rise=rise, rough=int(3 + 5 * near))
        canvas = mix(canvas, (tone[0], tone[1], tone[2]), mask)
    return canvas


def tree_line(rng: Rng, canvas: Canvas, horizon: float, colour: Colour) -> Canvas:
    """Paint a row of treetops along the horizon."""
    shape = canvas.shape[0], canvas.shape[1]
    rise = float(rng.uniform(0.1, 0.26))
    mask = ridge(
        rng, shape, base=horizon + 0.03, rise=rise, rough=int(rng.integers(16, 34)), gain=0.7
    )
    leaves = fractal(rng, shape, (14, 18), octaves=4, gain=0.7)
    crowns = paint_lit(vary_colour(rng, colour), 0.55 + 0.8 * leaves)
    return mix(canvas, crowns, mask)


def bokeh(rng: Rng, canvas: Canvas, colour: Colour, *, count: int, reach: float) -> Canvas:
    """Paint blurred discs of light onto the upper part of the canvas."""
    height, width = canvas.shape[:2]
    glow = Image.new("L", (width, height))
    draw = ImageDraw.Draw(glow)
    for _ in range(count):
        radius = width * float(rng.uniform(0.01, 0.035))
        x, y = rng.uniform(0, width), rng.uniform(0, reach * height)
        box = (x - radius, y - radius, x + radius, y + radius)
        draw.ellipse(box, fill=int(rng.uniform(30, 110)))
    soft = np.asarray(glow.filter(ImageFilter.GaussianBlur(1.2)), dtype=np.float32) / 255.0
    return mix(canvas, colour, soft)


def ripples(rng: Rng, shape: CanvasShape, *, far: int = 48, near: int = 7) -> GreyPlane:
    """Small waves from 0 to 1, dense far away and wide close by."""
    fine = fractal(rng, shape, (far, 6), octaves=2)
    wide = fractal(rng, shape, (near * 2, 4), octaves=3)
    depth = np.linspace(0.0, 1.0, shape[0])[:, None] ** 0.7
    return fine * (1.0 - depth) + wide * depth


def water(rng: Rng, shape: CanvasShape, mirrored: Canvas) -> Canvas:
    """A water surface that mirrors what is above it, broken by ripples."""
    tint = pick_colour(rng, ((70, 112, 128), (64, 104, 136), (92, 122, 122)))
    reflection = blur(mirrored, 5.0)
    waves = ripples(rng, shape)
    body = reflection * 0.55 + np.asarray(tint, dtype=np.float32) * 0.45
    broken = shade(body, 0.8 + 0.34 * waves)
    return mix(broken, (240, 246, 248), 0.5 * smoothstep(0.74, 0.98, waves))


def open_sky(rng: Rng, shape: CanvasShape, clutter: float) -> Canvas:
    """Nothing but air and clouds, above low hills when the picture is busy."""
    canvas = sky(rng, half_size(shape))
    if rng.random() < 0.25 + 0.5 * clutter:
        canvas = hills(rng, canvas, float(rng.uniform(0.97, 1.1)), (86, 110, 110))
    return enlarged(canvas, shape)


def underwater(rng: Rng, full: CanvasShape, clutter: float) -> Canvas:
    """The sea from within: light from above, rays, a dim bed, drifting specks."""
    shape = height, width = half_size(full)
    surface, deep = (
        pick_colour(rng, ((96, 190, 208), (78, 168, 206))),
        pick_colour(rng, ((10, 56, 92), (8, 66, 84))),
    )
    sea = vertical_gradient(shape, [(0.0, surface), (0.55, _between(surface, deep)), (1.0, deep)])
    slant = float(rng.uniform(-0.6, 0.6))
    beams = fractal(rng, (2, width * 2), (2, 26), octaves=2)[0]
    columns = np.arange(width)[None, :] + slant * np.arange(height)[:, None] + width // 2
    fade = (1.0 - np.linspace(0.0, 1.0, height)[:, None]) ** 1.6
    rays = smoothstep(0.5, 0.9, beams[np.clip(columns, 0, 2 * width - 1).astype(int)]) * fade
    sunlit = blur(mix(sea, (214, 244, 240), 0.4 * rays), 1.5)
    bed = ridge(rng, shape, base=float(rng.uniform(0.9, 1.0)), rise=0.1 + 0.1 * clutter, rough=6)
    grain = fractal(rng, shape, (20, 20), octaves=3, gain=0.7)
    floor = paint_lit((deep[0] + 44, deep[1] + 44, deep[2] + 20), 0.6 + 0.6 * grain)
    grounded = blur(mix(sunlit, floor, 0.8 * bed), 1.0)
    specks = bokeh(rng, grounded, (206, 236, 236), count=int(8 + 16 * clutter), reach=1.0)
    return enlarged(specks, full)


def _between(first: Colour, second: Colour) -> Colour:
    red, green, blue = ((a + b) / 2 for a, b in zip(first, second, strict=True))
    return red, green, blue
