"""Where the tiles of a grid lie: plain arithmetic, apart from painting."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect

GAP = 8


@dataclass(frozen=True, slots=True)
class TileLayout:
    """Square tiles in rows from the left, the spare width shared out on both sides."""

    count: int
    tile: int
    width: int

    @property
    def columns(self) -> int:
        return max(1, (self.width - GAP) // (self.tile + GAP))

    @property
    def rows(self) -> int:
        return -(-self.count // self.columns)

    @property
    def height(self) -> int:
        return self.rows * (self.tile + GAP) + GAP

    @property
    def _margin(self) -> int:
        used = self.columns * (self.tile + GAP) - GAP
        return max(GAP, (self.width - used) // 2)

    def rect(self, number: int) -> QRect:
        """The place of a tile, from the top left corner of the whole grid."""
        row, column = divmod(number, self.columns)
        step = self.tile + GAP
        return QRect(self._margin + column * step, GAP + row * step, self.tile, self.tile)

    def at(self, point: QPoint) -> int | None:
        """The tile under a point, if there is one."""
        step = self.tile + GAP
        row, column = (point.y() - GAP) // step, (point.x() - self._margin) // step
        number = row * self.columns + column
        inside = 0 <= column < self.columns and 0 <= number < self.count
        return number if inside and self.rect(number).contains(point) else None

    def between(self, top: int, bottom: int) -> range:
        """The tiles of all rows that reach into a stretch of the grid's height."""
        step = self.tile + GAP
        first = max(0, (top - GAP) // step) * self.columns
        last = ((bottom - GAP) // step + 1) * self.columns
        return range(min(first, self.count), max(0, min(last, self.count)))
