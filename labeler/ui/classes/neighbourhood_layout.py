"""Where the tiles of a neighbourhood lie: plain arithmetic, apart from painting."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPoint, QRect

TILE_WIDTH, CENTRE_WIDTH = 112, 176
NEIGHBOUR_GAP, MARGIN, GROUP_GAP = 8, 16, 24
# Most photographs are wider than high.
ASPECT_RATIO = 0.75


class ArrowDirection(Enum):
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

    def neighbour(self, number: int, direction: ArrowDirection) -> int:
        """The tile that an arrow key leads to; at the edge there is none but itself."""
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
    """Place groups of that many tiles, the first of which is the one in the middle.

    It is at the left. The groups after it fill the room next to it, where there is some, and
    then the whole width; `line` is the height of a line of text.
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
    """How high the picture of a tile of that width may be."""
    return round(width * ASPECT_RATIO)


def _group_height(rows: int, line: int) -> int:
    """A title and so many rows of tiles."""
    return line + rows * (NEIGHBOUR_GAP + _tile_height(TILE_WIDTH, line))
