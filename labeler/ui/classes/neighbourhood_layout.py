"""The positions of a neighbourhood's tiles, computed without Qt's painting."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPoint, QRect

TILE_WIDTH, CENTRE_WIDTH = 112, 176
NEIGHBOUR_GAP, MARGIN, GROUP_GAP = 8, 16, 24
# Most photographs are wider than high.
ASPECT_RATIO = 0.75


class ArrowDirection(Enum):
    """The directions of the arrow keys."""

    LEFT = "left"
    RIGHT = "right"
    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True)
class NeighbourhoodLayout:
    """The positions of the titles and tiles in one sequence, the centre first.

    A tile is a picture with a line for its name below.
    """

    titles: tuple[QRect, ...]
    tiles: tuple[QRect, ...]
    height: int

    def at(self, point: QPoint) -> int | None:
        """Return the tile at a point, or None."""
        return next((n for n, tile in enumerate(self.tiles) if tile.contains(point)), None)

    def neighbour(self, number: int, direction: ArrowDirection) -> int:
        """Return the tile in the direction of an arrow key, or the same one at the edge."""
        if direction is ArrowDirection.LEFT:
            return max(0, number - 1)
        if direction is ArrowDirection.RIGHT:
            return min(number + 1, len(self.tiles) - 1)
        here = self.tiles[number]
        below = direction is ArrowDirection.BELOW
        beyond = [
            (abs(tile.top() - here.top()), abs(tile.center().x() - here.center().x()), other)
            for other, tile in enumerate(self.tiles)
            if (tile.top() > here.bottom() if below else tile.bottom() < here.top())
        ]
        return min(beyond)[-1] if beyond else number


def lay_out_tiles(counts: Sequence[int], *, width: int, line: int) -> NeighbourhoodLayout:
    """Lay out groups with these numbers of tiles, the first being the centre.

    The centre is at the left. The other groups fill the space next to it, then the whole width;
    `line` is the height of a line of text.
    """
    titles = [QRect(MARGIN, MARGIN, CENTRE_WIDTH, line)]
    tiles = [
        QRect(MARGIN, MARGIN + line + NEIGHBOUR_GAP, CENTRE_WIDTH, _tile_height(CENTRE_WIDTH, line))
    ]
    foot, y = tiles[0].bottom() + 1, MARGIN
    beside = MARGIN + CENTRE_WIDTH + GROUP_GAP
    for count in counts[1:]:
        is_beside = _columns(width - beside) >= 2 and y + _group_height(1, line) <= foot
        left = beside if is_beside else MARGIN
        y = y if is_beside else max(y, foot + GROUP_GAP)
        columns = _columns(width - left)
        titles.append(QRect(left, y, max(TILE_WIDTH, width - left - MARGIN), line))
        tiles.extend(
            _tile(n, columns, left=left, top=y + line + NEIGHBOUR_GAP, line=line)
            for n in range(count)
        )
        y += _group_height(-(-count // columns), line) + GROUP_GAP
    return NeighbourhoodLayout(
        titles=tuple(titles), tiles=tuple(tiles), height=max(y - GROUP_GAP, foot) + MARGIN
    )


def _columns(room: int) -> int:
    return max(1, (room - MARGIN + NEIGHBOUR_GAP) // (TILE_WIDTH + NEIGHBOUR_GAP))


def _tile(number: int, columns: int, *, left: int, top: int, line: int) -> QRect:
    row, column = divmod(number, columns)
    x, y = (
        left + column * (TILE_WIDTH + NEIGHBOUR_GAP),
        top + row * (_tile_height(TILE_WIDTH, line) + NEIGHBOUR_GAP),
    )
    return QRect(x, y, TILE_WIDTH, _tile_height(TILE_WIDTH, line))


def _tile_height(width: int, line: int) -> int:
    return picture_height(width) + NEIGHBOUR_GAP // 2 + line


def picture_height(width: int) -> int:
    """Return the maximum picture height for a tile width."""
    return round(width * ASPECT_RATIO)


def _group_height(rows: int, line: int) -> int:
    """A title and so many rows of tiles."""
    return line + rows * (NEIGHBOUR_GAP + _tile_height(TILE_WIDTH, line))
