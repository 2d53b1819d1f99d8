"""Where superclasses, families and classes are on the class map.

Superclasses are frames in two bands. In a frame, families are blocks of equal tiles in columns.
The arrangement depends on the families only, so a class is always at the same place. How large
tiles, titles and gaps are depends on the zoom; `MapLayout` computes the positions from both.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from labeler.core.classes.families import SuperclassFamilies

# The room on a screen of 1280×800 for which the arrangement is made.
REFERENCE_SIZE = (960, 636)
_BLOCK_COLUMNS = range(3, 41)
_BAND_PARTS = (0.34, 0.38, 0.42, 0.46, 0.5, 0.54, 0.58)
_SMALLEST_TILE, _LARGEST_TILE = 1, 70
_TILE_SHAPE = 0.75
# The widths from which tiles have a gap between them, a name, and several pictures.
_GAPPED_TILE, _NAMED_TILE, _LARGE_TILE = 8, 72, 120
_TEXT = 15
# Columns have room for the words of a family's name, as a multiple of the height of a line.
_TITLE_WIDTH = 4.4

TitleLines = Callable[[int, int], int]
"""Returns how many lines the name of a family, by its block, needs at a width in pixels."""


def _one_line(_number: int, _width: int) -> int:
    return 1


class MapMetrics(NamedTuple):
    """Sizes in pixels at a zoom: of a tile, of titles, and of the gaps around them."""

    tile_width: int
    tile_height: int
    gap: int
    title: int
    head: int
    padding: int
    block_gap: int
    frame_gap: int
    title_width: int


class MapRect(NamedTuple):
    """A rectangle on the map, in pixels at a zoom."""

    x: int
    y: int
    width: int
    height: int

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def meets(self, other: "MapRect") -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True, slots=True)
class MapBlock:
    """A family on the map: its classes from `first` on, so many to a row."""

    superclass: int
    family: int
    first: int
    count: int
    columns: int

    @property
    def rows(self) -> int:
        return -(-self.count // self.columns)


@dataclass(frozen=True, slots=True)
class MapFrame:
    """A superclass on the map: columns of blocks, by the blocks' numbers."""

    superclass: int
    columns: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class MapArrangement:
    """The classes in the order of the map, the blocks, and the frames in bands."""

    wnids: tuple[str, ...]
    blocks: tuple[MapBlock, ...]
    bands: tuple[tuple[MapFrame, ...], ...]

    @cached_property
    def index_of(self) -> dict[str, int]:
        """The position of each class in the order of the map."""
        return {wnid: index for index, wnid in enumerate(self.wnids)}

    @cached_property
    def _starts(self) -> list[int]:
        return [block.first for block in self.blocks]

    def block_of(self, index: int) -> int:
        """Return the number of the block that has a class."""
        return bisect_right(self._starts, index) - 1


def map_metrics(tile_width: int, *, text: int = _TEXT, titles: bool = True) -> MapMetrics:
    """Return the sizes at a zoom: all whole pixels, so that tiles can be copied to the screen.

    `text` is the height of a line of text; without `titles`, only superclasses are named.
    """
    names = shows_names(tile_width)
    large = tile_width >= _LARGE_TILE
    return MapMetrics(
        tile_width=tile_width,
        tile_height=max(1, round(tile_width * _TILE_SHAPE)) + (text + 8 if names else 0),
        gap=10 if large else 4 if names else int(tile_width >= _GAPPED_TILE),
        title=(text + (12 if names else 1)) if titles else 0,
        # Without titles of families, names of superclasses have two lines.
        head=text + (14 if names else 7 if titles else text + 10),
        padding=12 if large else 6,
        block_gap=18 if large else 6,
        frame_gap=14 if large else 7,
        title_width=round(_TITLE_WIDTH * text) if titles else 0,
    )


def shows_names(tile_width: int) -> bool:
    """Return whether tiles of this width have the name of their class."""
    return tile_width >= _NAMED_TILE


def fitting_tile(
    arrangement: MapArrangement,
    size: tuple[int, int],
    *,
    text: int,
    titles: bool,
    lines: TitleLines = _one_line,
    heads: TitleLines = _one_line,
) -> int:
    """Return the largest width of tiles at which the whole map fits a view of this size."""
    low, high = 1, _NAMED_TILE
    while low + 1 < high:
        middle = (low + high) // 2
        metrics = map_metrics(middle, text=text, titles=titles)
        layout = MapLayout(arrangement, metrics, fill=(size[0], 0), lines=lines, heads=heads)
        fits = layout.width <= size[0] and layout.height <= size[1]
        low, high = (middle, high) if fits else (low, middle)
    return low


def arrange(superclasses: Sequence[SuperclassFamilies]) -> MapArrangement:
    """Arrange the families so that all of them fit the screen with tiles as large as possible."""
    sizes = [[len(family.wnids) for family in one.families] for one in superclasses]
    wnids = tuple(wnid for one in superclasses for wnid in one.wnids)
    best = max(
        (_largest_fit(sizes, split, part) for split in _splits(sizes) for part in _BAND_PARTS),
        key=lambda fit: fit.tile,
    )
    return _arrangement(wnids, sizes, best)


@dataclass(frozen=True, slots=True)
class _Fit:
    """A way to fill the bands: after which superclass, how high, and with what tiles."""

    tile: int
    split: int
    heights: tuple[float, float]


def _splits(sizes: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield after how many superclasses the second band may begin."""
    if len(sizes) < 2:
        yield len(sizes)
        return
    before = list(accumulate(map(sum, sizes)))
    middle = min(range(1, len(sizes)), key=lambda n: abs(before[n - 1] - before[-1] / 2))
    yield from {max(1, middle - 1), middle, min(len(sizes) - 1, middle + 1)}


def _largest_fit(sizes: Sequence[Sequence[int]], split: int, part: float) -> _Fit:
    width, height = REFERENCE_SIZE
    whole = height - map_metrics(1).frame_gap
    heights = (height, 0.0) if split == len(sizes) else (whole * part, whole * (1 - part))
    bands = (sizes[:split], sizes[split:])
    low, high = _SMALLEST_TILE, _LARGEST_TILE
    while low + 1 < high:
        middle = (low + high) // 2
        metrics = map_metrics(middle)
        fits = all(
            _band_width(band, high_, metrics) <= width
            for band, high_ in zip(bands, heights, strict=True)
        )
        low, high = (middle, high) if fits else (low, middle)
    return _Fit(low, split, heights)


def _band_width(sizes: Sequence[Sequence[int]], height: float, metrics: MapMetrics) -> float:
    frames = [_packed(families, height, metrics)[0] for families in sizes]
    return sum(frames) + metrics.frame_gap * max(0, len(frames) - 1)


def _packed(
    families: Sequence[int], height: float, metrics: MapMetrics
) -> tuple[float, int, list[list[int]]]:
    """Return the narrowest frame: its width, the tiles to a row, and the families by column."""
    options = []
    for tiles in _BLOCK_COLUMNS:
        columns = _columns(families, tiles, height - metrics.head - metrics.padding, metrics)
        row = tiles * (metrics.tile_width + metrics.gap)
        across = max(row, metrics.title_width) + metrics.block_gap
        options.append((len(columns) * across + 2 * metrics.padding, tiles, columns))
        if tiles >= max(families):
            break
    return min(options, key=lambda option: option[:2])


def _columns(
    families: Sequence[int], tiles: int, height: float, metrics: MapMetrics
) -> list[list[int]]:
    """Fill columns from the top; a family too high for any column has one to itself."""
    columns: list[list[int]] = [[]]
    used = 0.0
    for number, count in enumerate(families):
        needed = _block_height(-(-count // tiles), metrics)
        if columns[-1] and used + needed > height:
            columns.append([])
            used = 0.0
        columns[-1].append(number)
        used += needed
    # Too high to be any good, so that another number of tiles is preferred.
    if used > height or max(-(-c // tiles) for c in families) * metrics.tile_height > height:
        columns += [[] for _ in range(len(families) * 10)]
    return columns


def _block_height(rows: int, metrics: MapMetrics) -> int:
    return metrics.title + rows * (metrics.tile_height + metrics.gap) + metrics.block_gap


def _arrangement(
    wnids: tuple[str, ...], sizes: Sequence[Sequence[int]], fit: _Fit
) -> MapArrangement:
    metrics = map_metrics(fit.tile)
    blocks: list[MapBlock] = []
    bands: list[list[MapFrame]] = [[], []]
    first = 0
    for superclass, families in enumerate(sizes):
        band = int(superclass >= fit.split)
        _width, tiles, columns = _packed(families, fit.heights[band], metrics)
        start = len(blocks)
        for family, count in enumerate(families):
            blocks.append(MapBlock(superclass, family, first, count, tiles))
            first += count
        numbered = tuple(tuple(start + n for n in column) for column in columns if column)
        bands[band].append(MapFrame(superclass, numbered))
    return MapArrangement(wnids, tuple(blocks), tuple(tuple(band) for band in bands if band))


class MapLayout:
    """The positions of everything at one zoom."""

    def __init__(
        self,
        arrangement: MapArrangement,
        metrics: MapMetrics,
        *,
        fill: tuple[int, int] = (0, 0),
        lines: TitleLines = _one_line,
        heads: TitleLines = _one_line,
    ) -> None:
        """`fill` is a size over which the superclasses are spread if they need less.

        `lines` returns how many lines the name of a family needs in a column of some width, and
        `heads` the same of a superclass in its frame.
        """
        self.arrangement, self.metrics = arrangement, metrics
        self.blocks: list[MapRect] = [MapRect(0, 0, 0, 0)] * len(arrangement.blocks)
        # How far the name of a family may extend, up to the next column.
        self.title_widths: list[int] = [0] * len(arrangement.blocks)
        self._lines: list[int] = [1] * len(arrangement.blocks)
        self._heads: dict[int, int] = {}
        self.frames: dict[int, MapRect] = {}
        bands = arrangement.bands
        self.width = max((self._band_width(band) for band in bands), default=0)
        self.width = max(self.width, fill[0])
        for band in bands:
            self._measure_titles(band, lines, heads)
        heights = [self._band_height(band) for band in bands]
        spare = max(0, fill[1] - sum(heights) - metrics.frame_gap * (len(bands) - 1))
        y = 0
        for band, height in zip(bands, heights, strict=True):
            y += self._place_band(band, y, height + spare // len(bands)) + metrics.frame_gap
        self.height = max(0, y - metrics.frame_gap)

    def head_height(self, superclass: int) -> int:
        """Return the height of a superclass's name, the same for all of its band."""
        return self.metrics.head + (self._heads[superclass] - 1) * self.metrics.title

    def title_height(self, number: int) -> int:
        """Return the height of a family's name, which has one line or several."""
        return self._lines[number] * self.metrics.title

    def tile(self, index: int) -> MapRect:
        """Return where a class is, by its position in the order of the map."""
        number = self.arrangement.block_of(index)
        block, place, size = self.arrangement.blocks[number], self.blocks[number], self.metrics
        row, column = divmod(index - block.first, block.columns)
        return MapRect(
            place.x + column * (size.tile_width + size.gap),
            place.y + self.title_height(number) + row * (size.tile_height + size.gap),
            size.tile_width,
            size.tile_height,
        )

    def class_at(self, x: float, y: float) -> int | None:
        """Return the position of the class at a point, or None."""
        number = self.block_at(x, y)
        if number is None:
            return None
        block, place, size = self.arrangement.blocks[number], self.blocks[number], self.metrics
        column = int((x - place.x) // (size.tile_width + size.gap))
        row = int((y - place.y - self.title_height(number)) // (size.tile_height + size.gap))
        within = row * block.columns + column
        inside = 0 <= column < block.columns and 0 <= within < block.count and row >= 0
        return block.first + within if inside else None

    def block_at(self, x: float, y: float) -> int | None:
        """Return the number of the block at a point, or None."""
        places = enumerate(self.blocks)
        return next((number for number, place in places if place.contains(x, y)), None)

    def nearest_block(self, x: float, y: float) -> int:
        """Return the block at a point, or the one next to it."""

        def distance(number: int) -> float:
            place = self.blocks[number]
            across = max(place.x - x, 0.0, x - place.x - place.width)
            down = max(place.y - y, 0.0, y - place.y - place.height)
            return across * across + down * down

        return min(range(len(self.blocks)), key=distance)

    def tiles_in(self, number: int, area: MapRect) -> Iterator[int]:
        """Yield the classes of a block whose tiles may be in an area."""
        block, place, size = self.arrangement.blocks[number], self.blocks[number], self.metrics
        across, down = size.tile_width + size.gap, size.tile_height + size.gap
        top = area.y - place.y - self.title_height(number)
        rows = range(
            max(0, int(top // down)), min(block.rows, int((top + area.height) // down) + 1)
        )
        left = area.x - place.x
        columns = range(
            max(0, int(left // across)), min(block.columns, int((left + area.width) // across) + 1)
        )
        for row in rows:
            for column in columns:
                within = row * block.columns + column
                if within < block.count:
                    yield block.first + within

    def _band_width(self, band: Sequence[MapFrame]) -> int:
        frames = sum(self._frame_width(frame) for frame in band)
        return frames + self.metrics.frame_gap * (len(band) - 1)

    def _frame_width(self, frame: MapFrame) -> int:
        size = self.metrics
        columns = sum(self._column_width(column) + size.block_gap for column in frame.columns)
        return columns - size.block_gap + 2 * size.padding

    def _column_width(self, column: Sequence[int]) -> int:
        tiles = max(self.arrangement.blocks[number].columns for number in column)
        row = tiles * (self.metrics.tile_width + self.metrics.gap) - self.metrics.gap
        return max(row, self.metrics.title_width)

    def _band_height(self, band: Sequence[MapFrame]) -> int:
        return max(self._frame_height(frame) for frame in band)

    def _spare_width(self, band: Sequence[MapFrame]) -> int:
        """Return by how much each column of a band is wider than it needs to be."""
        columns = sum(len(frame.columns) for frame in band)
        return (self.width - self._band_width(band)) // columns

    def _measure_titles(
        self, band: Sequence[MapFrame], lines: TitleLines, heads: TitleLines
    ) -> None:
        spare, metrics = self._spare_width(band), self.metrics
        head = 1
        if metrics.title:
            widths = (
                (frame, self._frame_width(frame) + spare * len(frame.columns)) for frame in band
            )
            head = max(heads(f.superclass, width - 2 * metrics.padding) for f, width in widths)
        self._heads |= dict.fromkeys((frame.superclass for frame in band), head)
        for column in (column for frame in band for column in frame.columns):
            width = self._column_width(column) + spare
            for number in column:
                self.title_widths[number] = width
                self._lines[number] = lines(number, width)

    def _place_band(self, band: Sequence[MapFrame], top: int, height: int) -> int:
        """Place the frames of a band over the whole width; return the height."""
        size, spare = self.metrics, self._spare_width(band)
        x = 0
        for frame in band:
            last = frame is band[-1]
            own = self._frame_width(frame) + spare * len(frame.columns)
            width = self.width - x if last else own
            self.frames[frame.superclass] = MapRect(x, top, width, height)
            head = self.head_height(frame.superclass)
            self._place_blocks(frame, x + size.padding, top + head, spare)
            x += width + size.frame_gap
        return height

    def _frame_height(self, frame: MapFrame) -> int:
        heights = (
            sum(self._height(number) + self.metrics.block_gap for number in column)
            for column in frame.columns
        )
        return self.head_height(frame.superclass) + max(heights) + self.metrics.padding

    def _height(self, number: int) -> int:
        size = self.metrics
        rows = self.arrangement.blocks[number].rows
        tiles = rows * (size.tile_height + size.gap) - size.gap
        return self.title_height(number) + tiles

    def _place_blocks(self, frame: MapFrame, left: int, top: int, spare: int) -> None:
        for column in frame.columns:
            width, y = self._column_width(column), top
            for number in column:
                self.blocks[number] = MapRect(left, y, width, self._height(number))
                y += self._height(number) + self.metrics.block_gap
            left += width + spare + self.metrics.block_gap
