"""The positions of a grid's tiles, computed without Qt's painting."""

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPoint, QRect

TILE_GAP = 4


# Smaller tiles would show everything, but nothing recognisable; larger ones would be blurred.
MIN_FITTING_SIZE, MAX_FITTING_SIZE = 72, 160


def fitting_size(*, count: int, width: int, height: int, tallness: float) -> int:
    """Return the largest tile width at which all tiles are visible, within the limits."""
    for columns in range(1, count + 1):
        size = min(MAX_FITTING_SIZE, (width - TILE_GAP) // columns - TILE_GAP)
        rows = -(-count // columns)
        if size < MIN_FITTING_SIZE:
            break
        if rows * (round(size * tallness) + TILE_GAP) + TILE_GAP <= height:
            return size
    return MIN_FITTING_SIZE


@dataclass(frozen=True)
class TileLayout:
    """Tiles in rows, enlarged slightly beyond the requested size to fill the width.

    All tiles are as tall as the tallest image; `tallness` is its ratio of height to width. Tiles
    never exceed the `sharpest` width, at which the stored images need no scaling.
    """

    count: int
    size: int
    width: int
    tallness: float = 1.0
    sharpest: int | None = None

    @cached_property
    def columns(self) -> int:
        return max(1, (self.width - TILE_GAP) // (self.size + TILE_GAP))

    @cached_property
    def tile_width(self) -> int:
        grown = max(self.size, (self.width - TILE_GAP) // self.columns - TILE_GAP)
        if self.sharpest is not None and self.size <= self.sharpest < grown:
            return self.sharpest
        return grown

    @cached_property
    def tile_height(self) -> int:
        return max(1, round(self.tile_width * self.tallness))

    @property
    def height(self) -> int:
        """The height of the whole grid."""
        rows = -(-self.count // self.columns)
        return rows * self.row_height + TILE_GAP

    def rect(self, number: int) -> QRect:
        """Return the rectangle of a tile, relative to the grid's top left corner."""
        row, column = divmod(number, self.columns)
        x, y = self._left + column * self._across, TILE_GAP + row * self.row_height
        return QRect(x, y, self.tile_width, self.tile_height)

    def at(self, point: QPoint) -> int | None:
        """Return the tile at a point, or None."""
        row = (point.y() - TILE_GAP) // self.row_height
        column = (point.x() - self._left) // self._across
        number = row * self.columns + column
        inside = 0 <= column < self.columns and 0 <= number < self.count
        return number if inside and self.rect(number).contains(point) else None

    def between(self, top: int, bottom: int) -> range:
        """Return the tiles of all rows within a vertical range."""
        first = max(0, (top - TILE_GAP) // self.row_height) * self.columns
        last = ((bottom - TILE_GAP) // self.row_height + 1) * self.columns
        return range(min(first, self.count), max(0, min(last, self.count)))

    @cached_property
    def _across(self) -> int:
        return self.tile_width + TILE_GAP

    @cached_property
    def row_height(self) -> int:
        """The distance between rows."""
        return self.tile_height + TILE_GAP

    @cached_property
    def _left(self) -> int:
        """The left edge of the first tile; the remaining width is split between both sides."""
        return max(TILE_GAP, (self.width - self.columns * self._across + TILE_GAP) // 2)
