"""Where the tiles of a grid lie: plain arithmetic, apart from painting."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect

GAP = 8


@dataclass(frozen=True, slots=True)
class TileLayout:
    """Tiles in rows; they grow a little beyond the size asked for, to fill the width.

    A tile is as tall as the tallest image needs: `tallness` is that part of its width.
    """

    count: int
    size: int
    width: int
    tallness: float = 1.0

    @property
    def columns(self) -> int:
        return max(1, (self.width - GAP) // (self.size + GAP))

    @property
    def tile_width(self) -> int:
        return max(self.size, (self.width - GAP) // self.columns - GAP)

    @property
    def tile_height(self) -> int:
        return max(1, round(self.tile_width * self.tallness))

    @property
    def height(self) -> int:
        """The height of the whole grid."""
        rows = -(-self.count // self.columns)
        return rows * self._down + GAP

    def rect(self, number: int) -> QRect:
        """The place of a tile, from the top left corner of the whole grid."""
        row, column = divmod(number, self.columns)
        x, y = self._left + column * self._across, GAP + row * self._down
        return QRect(x, y, self.tile_width, self.tile_height)

    def at(self, point: QPoint) -> int | None:
        """The tile under a point, if there is one."""
        row = (point.y() - GAP) // self._down
        column = (point.x() - self._left) // self._across
        number = row * self.columns + column
        inside = 0 <= column < self.columns and 0 <= number < self.count
        return number if inside and self.rect(number).contains(point) else None

    def between(self, top: int, bottom: int) -> range:
        """The tiles of all rows that reach into a stretch of the grid's height."""
        first = max(0, (top - GAP) // self._down) * self.columns
        last = ((bottom - GAP) // self._down + 1) * self.columns
        return range(min(first, self.count), max(0, min(last, self.count)))

    @property
    def _across(self) -> int:
        return self.tile_width + GAP

    @property
    def _down(self) -> int:
        return self.tile_height + GAP

    @property
    def _left(self) -> int:
        """The first tile's left side; what couldn't be shared out is halved between the edges."""
        return max(GAP, (self.width - self.columns * self._across + GAP) // 2)
