"""Where the tiles of a grid lie: plain arithmetic, apart from painting."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect

GAP = 8


@dataclass(frozen=True, slots=True)
class TileLayout:
    """Square tiles in rows; they grow a little beyond the size asked for, to fill the width."""

    count: int
    size: int
    width: int

    @property
    def columns(self) -> int:
        return max(1, (self.width - GAP) // (self.size + GAP))

    @property
    def side(self) -> int:
        """How long a tile's sides really are."""
        return max(self.size, (self.width - GAP) // self.columns - GAP)

    @property
    def height(self) -> int:
        """The height of the whole grid."""
        rows = -(-self.count // self.columns)
        return rows * self._step + GAP

    def rect(self, number: int) -> QRect:
        """The place of a tile, from the top left corner of the whole grid."""
        row, column = divmod(number, self.columns)
        return QRect(self._left + column * self._step, GAP + row * self._step, self.side, self.side)

    def at(self, point: QPoint) -> int | None:
        """The tile under a point, if there is one."""
        row, column = (point.y() - GAP) // self._step, (point.x() - self._left) // self._step
        number = row * self.columns + column
        inside = 0 <= column < self.columns and 0 <= number < self.count
        return number if inside and self.rect(number).contains(point) else None

    def between(self, top: int, bottom: int) -> range:
        """The tiles of all rows that reach into a stretch of the grid's height."""
        first = max(0, (top - GAP) // self._step) * self.columns
        last = ((bottom - GAP) // self._step + 1) * self.columns
        return range(min(first, self.count), max(0, min(last, self.count)))

    @property
    def _step(self) -> int:
        return self.side + GAP

    @property
    def _left(self) -> int:
        """The first tile's left side; what couldn't be shared out is halved between the edges."""
        return max(GAP, (self.width - self.columns * self._step + GAP) // 2)
