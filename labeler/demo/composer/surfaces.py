"""Surfaces seen from straight above: boards, cloth, stone, soil, a leaf, sand, tiles and more."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from labeler.demo.composer.noise import (
    Canvas,
    CanvasShape,
    Colour,
    GreyPlane,
    Rng,
    as_canvas,
    as_image,
    fill_canvas,
    fractal,
    mix,
    paint_lit,
    pick_colour,
    shade,
    smoothstep,
    value_noise,
    vary_colour,
)

_WOODS: tuple[Colour, ...] = (
    (186, 140, 92),
    (146, 100, 64),
    (204, 168, 122),
    (112, 78, 54),
    (168, 154, 136),
    (214, 200, 178),
)
_CLOTHS: tuple[Colour, ...] = (
    (222, 214, 200),
    (150, 166, 178),
    (196, 172, 160),
    (120, 134, 118),
    (92, 104, 128),
    (208, 190, 158),
)
_LEAF_LITTER: tuple[Colour, ...] = (
    (150, 98, 50),
    (176, 128, 66),
    (122, 76, 42),
    (106, 92, 50),
    (164, 84, 44),
    (92, 68, 44),
)
_GROUT: Colour = (148, 144, 138)


def soft_light(rng: Rng, shape: CanvasShape, strength: float = 0.22) -> GreyPlane:
    """Light that falls unevenly from one side, as near a window."""
    height, width = shape
    across = np.linspace(-1.0, 1.0, width)[None, :]
    down = np.linspace(-1.0, 1.0, height)[:, None]
    angle = float(rng.uniform(0.0, 2.0 * np.pi))
    slope: GreyPlane = np.cos(angle) * across + np.sin(angle) * down
    patches = fractal(rng, shape, (2, 3), octaves=2) - 0.5
    return 1.0 + strength * (0.6 * slope + 0.5 * patches)


def planks(rng: Rng, shape: CanvasShape, boards: int | None = None) -> Canvas:
    """Wooden boards side by side, each with its own tone and grain."""
    height = shape[0]
    count = boards or int(rng.integers(4, 8))
    base = pick_colour(rng, _WOODS)
    row = np.linspace(0.0, count, height, endpoint=False)
    board = row.astype(int)
    tone = rng.uniform(0.88, 1.1, count)[board]
    grain = fractal(rng, shape, (height // 5, 3), octaves=2, gain=0.6)
    figure = fractal(rng, shape, (count * 3, 5), octaves=3)
    light = tone[:, None] * (0.84 + 0.2 * grain + 0.14 * figure)
    edge = np.minimum(row - board, board + 1 - row) * (height / count)
    gaps = 0.45 + 0.55 * np.clip(edge / 2.2, 0.0, 1.0)
    wood = paint_lit(base, light * gaps[:, None])
    return shade(wood, soft_light(rng, shape))


def linen(rng: Rng, shape: CanvasShape) -> Canvas:
    """A woven cloth with soft folds."""
    height, width = shape
    warp = value_noise(rng, shape, (height // 2, 40))
    weft = value_noise(rng, shape, (40, width // 2))
    folds = fractal(rng, shape, (2, 3), octaves=2)
    light = 0.82 + 0.09 * warp + 0.09 * weft + 0.16 * folds
    return shade(paint_lit(pick_colour(rng, _CLOTHS), light), soft_light(rng, shape))


def stone(rng: Rng, shape: CanvasShape) -> Canvas:
    """Dark slate or pale marble with veins."""
    dark = bool(rng.random() < 0.5)
    base = pick_colour(
        rng, ((78, 84, 92), (96, 92, 88)) if dark else ((226, 222, 216), (214, 216, 218))
    )
    vein = (128, 132, 138) if dark else (168, 166, 166)
    clouds = fractal(rng, shape, (4, 5), octaves=5, gain=0.6)
    ridges = np.abs(fractal(rng, shape, (3, 3), octaves=5) - 0.5)
    surface = paint_lit(base, 0.86 + 0.24 * clouds)
    veined = mix(surface, vein, 0.45 * (1.0 - smoothstep(0.0, 0.035, ridges)))
    return shade(veined, soft_light(rng, shape))


def soil(rng: Rng, shape: CanvasShape) -> Canvas:
    """A forest floor: dark earth under fallen leaves."""
    earth = shade(
        fill_canvas(shape, pick_colour(rng, ((84, 66, 48), (72, 62, 46)))),
        0.7 + 0.6 * _grit(rng, shape),
    )
    image = as_image(earth)
    draw = ImageDraw.Draw(image)
    for _ in range(420):
        _fallen_leaf(rng, draw, shape)
    littered = as_canvas(image.filter(ImageFilter.GaussianBlur(0.8)))
    return shade(littered, (0.78 + 0.4 * _grit(rng, shape)) * soft_light(rng, shape))


def _grit(rng: Rng, shape: CanvasShape) -> GreyPlane:
    return fractal(rng, shape, (shape[0] // 24, shape[1] // 24), octaves=4, gain=0.7)


def _fallen_leaf(rng: Rng, draw: ImageDraw.ImageDraw, shape: CanvasShape) -> None:
    """Draw one pointed leaf somewhere."""
    x, y = rng.uniform(0, shape[1]), rng.uniform(0, shape[0])
    length, angle = rng.uniform(8, 20), rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle)]) * length
    across = np.array([-along[1], along[0]]) * rng.uniform(0.2, 0.4)
    outline = [along, 0.3 * along + across, -0.5 * along + 0.7 * across]
    outline += [-along, -0.5 * along - 0.7 * across, 0.3 * along - across]
    colour = tuple(int(c) for c in vary_colour(rng, pick_colour(rng, _LEAF_LITTER), 0.2))
    draw.polygon([(x + dx, y + dy) for dx, dy in outline], fill=colour)


def leaf(rng: Rng, shape: CanvasShape) -> Canvas:
    """One large green leaf, close up, with its veins."""
    height, width = shape
    angle = float(rng.uniform(-0.5, 0.5))
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    x = (across - width / 2) * np.cos(angle) + (down - height / 2) * np.sin(angle)
    y = (down - height / 2) * np.cos(angle) - (across - width / 2) * np.sin(angle)
    y = y + 10.0 * (fractal(rng, shape, (3, 3), octaves=2) - 0.5)
    spacing = float(rng.uniform(46, 70))
    side = np.abs(((x - 0.75 * np.abs(y)) / spacing) % 1.0 - 0.5) * spacing
    veins = np.maximum(
        0.6 * (1.0 - smoothstep(0.5, 3.0, side)), 1.0 - smoothstep(2.0, 6.0, np.abs(y))
    )
    swell = 0.9 + 0.16 * np.sin(2 * np.pi * (x - 0.75 * np.abs(y)) / spacing)
    cells = fractal(rng, shape, (height // 8, width // 8), octaves=2)
    base = pick_colour(rng, ((92, 142, 58), (70, 124, 62), (122, 160, 70)))
    blade = paint_lit(base, swell * (0.88 + 0.2 * cells))
    pale = (base[0] * 1.45, base[1] * 1.3, base[2] * 1.4)
    return shade(mix(blade, pale, 0.6 * veins), soft_light(rng, shape, 0.45))


def sand(rng: Rng, shape: CanvasShape) -> Canvas:
    """Sand with wind ripples."""
    base = pick_colour(rng, ((222, 196, 152), (212, 178, 130), (228, 208, 172)))
    bend = fractal(rng, shape, (3, 3), octaves=3)
    phase = np.linspace(0, 2 * np.pi * 22, shape[0])[:, None] + 16.0 * bend
    ripples = np.sin(phase) * (0.3 + 0.7 * fractal(rng, shape, (3, 3), octaves=2))
    grain = rng.random(shape, dtype=np.float32)
    return paint_lit(base, 0.93 + 0.05 * ripples + 0.08 * grain + 0.08 * (bend - 0.5))


def snow(rng: Rng, shape: CanvasShape) -> Canvas:
    """Snow with soft blue hollows."""
    drift = fractal(rng, shape, (5, 4), octaves=4, gain=0.45)
    powder = mix(
        fill_canvas(shape, (186, 204, 226)), (246, 249, 252), smoothstep(0.15, 0.75, drift)
    )
    return shade(powder, 0.97 + 0.04 * rng.random(shape, dtype=np.float32))


def asphalt(rng: Rng, shape: CanvasShape) -> Canvas:
    """A worn road surface."""
    base = pick_colour(rng, ((104, 106, 110), (88, 90, 94), (126, 124, 120)))
    wear = fractal(rng, shape, (4, 3), octaves=4)
    grain = rng.random(shape, dtype=np.float32)
    return paint_lit(base, 0.8 + 0.2 * wear + 0.2 * grain)


def turf(rng: Rng, shape: CanvasShape, base: Colour) -> Canvas:
    """Grass from above, in patches of two greens or straws."""
    patches = fractal(rng, shape, (6, 6), octaves=5, gain=0.65)
    dry = (base[0] * 1.25, base[1] * 1.08, base[2] * 1.0)
    return shade(mix(fill_canvas(shape, base), dry, patches), 0.74 + 0.4 * _grit(rng, shape))


def tiles(rng: Rng, shape: CanvasShape) -> Canvas:
    """Square floor tiles with grout between them."""
    height, width = shape
    size = height / int(rng.integers(6, 10))
    down, across = np.mgrid[0:height, 0:width].astype(np.float32) / size
    rows, columns = down.astype(int), across.astype(int)
    tone = rng.uniform(0.93, 1.03, (rows.max() + 1, columns.max() + 1))[rows, columns]
    if rng.random() < 0.35:
        tone = tone * np.where((rows + columns) % 2, 0.72, 1.0)
    edge = np.minimum(np.minimum(down % 1, 1 - down % 1), np.minimum(across % 1, 1 - across % 1))
    base = pick_colour(rng, ((214, 208, 198), (188, 196, 200), (206, 186, 164)))
    glazed = paint_lit(base, tone * (0.92 + 0.12 * fractal(rng, shape, (6, 6))))
    return mix(glazed, _GROUT, 1.0 - smoothstep(0.015, 0.04, edge))


def tilt_surface(surface: Canvas, shape: CanvasShape, spread: float = 2.6) -> Canvas:
    """See a surface at a slant, so that it recedes from the viewer to the top edge."""
    height, width = shape
    deep, wide = surface.shape[:2]
    # The far edge shows the whole width of the surface, the near edge only a part of it.
    half = wide / (2.0 * spread)
    corners = (0, 0, wide / 2 - half, deep, wide / 2 + half, deep, wide, 0)
    large = as_image(surface).transform(
        (width, height),
        Image.Transform.PERSPECTIVE,
        _homography(corners, shape),
        Image.Resampling.BICUBIC,
    )
    return as_canvas(large)


def _homography(corners: tuple[float, ...], shape: CanvasShape) -> list[float]:
    """Solve for the eight numbers that carry a picture's corners to the given source corners."""
    height, width = shape
    targets = ((0, 0), (0, height), (width, height), (width, 0))
    sources = list(zip(corners[0::2], corners[1::2], strict=True))
    rows: list[list[float]] = []
    values: list[float] = []
    for (x, y), (u, v) in zip(targets, sources, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return [float(number) for number in np.linalg.solve(np.array(rows), np.array(values))]
