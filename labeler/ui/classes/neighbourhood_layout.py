"""Where the tiles of a neighbourhood lie: plain arithmetic, apart from painting."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPoint, QRect

TILE, CENTRE = 112, 176
GAP, MARGIN, BETWEEN = 8, 16, 24
# Most photographs are wider than high.
TALLNESS = 0.75


class Direction(Enum):
    """Where the arrow keys lead."""

    LEFT = "left"
    RIGHT = "right"
    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True)
class NeighbourhoodLayout:
    """The places of all groups' titles and of all tiles in one sequence, the centre first.

    A tile is a picture with a line for its name below.
    """

    titles: tuple[QRect, ...]
    tiles: tuple[QRect, ...]
    height: int

    def at(self, point: QPoint) -> int | None:
        """The tile under a point, if there is one."""
        return next((n for n, tile in enumerate(self.tiles) if tile.contains(point)), None)

    def neighbour(self, number: int, direction: Direction) -> int:
        """The tile that an arrow key leads to; at the edge there is none but itself."""
        if direction is Direction.LEFT:
            return max(0, number - 1)
        if direction is Direction.RIGHT:
            return min(number + 1, len(self.tiles) - 1)
        here = self.tiles[number]
        below = direction is Direction.BELOW
        beyond = [
            (abs(tile.top() - here.top()), abs(tile.center().x() - here.center().x()), other)
            for other, tile in enumerate(self.tiles)
            if (tile.top() > here.bottom() if below else tile.bottom() < here.top())
        ]
        return min(beyond)[-1] if beyond else number


def lay_out(counts: Sequence[int], *, width: int, line: int) -> NeighbourhoodLayout:
    """Place groups of that many tiles, the first of which is the one in the middle.

    It stands at the left. The groups after it fill the room beside it, where there is some, and
    then the whole width; `line` is the height of a line of text.
    """
    titles = [QRect(MARGIN, MARGIN, CENTRE, line)]
    tiles = [QRect(MARGIN, MARGIN + line + GAP, CENTRE, _tile_height(CENTRE, line))]
    foot, y = tiles[0].bottom() + 1, MARGIN
    beside = MARGIN + CENTRE + BETWEEN
    for count in counts[1:]:
        is_beside = _columns(width - beside) >= 2 and y + _group_height(1, line) <= foot
        left = beside if is_beside else MARGIN
        y = y if is_beside else max(y, foot + BETWEEN)
        columns = _columns(width - left)
        titles.append(QRect(left, y, max(TILE, width - left - MARGIN), line))
        tiles.extend(
            _tile(n, columns, left=left, top=y + line + GAP, line=line) for n in range(count)
        )
        y += _group_height(-(-count // columns), line) + BETWEEN
    return NeighbourhoodLayout(
        titles=tuple(titles), tiles=tuple(tiles), height=max(y - BETWEEN, foot) + MARGIN
    )


def _columns(room: int) -> int:
    return max(1, (room - MARGIN + GAP) // (TILE + GAP))


def _tile(number: int, columns: int, *, left: int, top: int, line: int) -> QRect:
    row, column = divmod(number, columns)
    x, y = left + column * (TILE + GAP), top + row * (_tile_height(TILE, line) + GAP)
    return QRect(x, y, TILE, _tile_height(TILE, line))


def _tile_height(width: int, line: int) -> int:
    return picture_height(width) + GAP // 2 + line


def picture_height(width: int) -> int:
    """How high the picture of a tile of that width may be."""
    return round(width * TALLNESS)


def _group_height(rows: int, line: int) -> int:
    """A title and so many rows of tiles."""
    return line + rows * (GAP + _tile_height(TILE, line))
