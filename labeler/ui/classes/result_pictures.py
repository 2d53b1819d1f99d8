"""Paints the reference pictures of a result: a strip in a row, a square of four in a tile."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter

from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.classes.references import TileRect
from labeler.app.classes.result_rows import BranchListRow, ResultRow
from labeler.ui.window.theme import Appearance, TypeSize

PICTURE_GAP = 4
# Whether the study has references that this computer lacks is said by the reference panel.
NO_REFERENCES = "no pictures here"
_HATCH = "#5c5c5c"


def picture_keys(row: ResultRow) -> tuple[str, ...]:
    """Return the classes whose pictures illustrate a row."""
    return row.samples if isinstance(row, BranchListRow) else (row.wnid,)


class ResultPictures:
    """The pictures of results, and a hatched field where the study has none."""

    def __init__(self, appearance: Appearance, references: FirstReferences[QImage]) -> None:
        self._appearance, self._references = appearance, references

    def listen(self, notify: Callable[[], None]) -> None:
        """Call back whenever pictures were loaded, or found missing."""
        self._references.listen(lambda _wnid: notify())
        self._references.listen_for_missing(lambda _wnid: notify())

    def request(self, wnids: Iterable[str]) -> None:
        self._references.request(wnids)

    def is_missing(self, row: ResultRow) -> bool:
        return all(map(self._references.is_missing, picture_keys(row)))

    def paint(self, painter: QPainter, area: QRectF, row: ResultRow, *, columns: int) -> None:
        """Paint as many pictures as there are cells in the area, each cropped to its cell."""
        if self.is_missing(row):
            paint_missing(painter, area, self._appearance)
            return
        known = self._references
        loading = any(
            known.get(wnid) is None and not known.is_missing(wnid) for wnid in picture_keys(row)
        )
        for cell, part in zip_longest(_cells(area, columns=columns), self._parts(row)):
            # A class with few pictures has no fields that look as if some didn't load.
            if cell is None or (part is None and not loading):
                return
            painter.fillRect(cell, self._appearance.colour("surround"))
            if part is not None:
                draw_cropped(painter, cell, *part)

    def _parts(self, row: ResultRow) -> Iterator[tuple[QImage, TileRect] | None]:
        """Yield a class's own pictures, or one of each of a branch; None is still to be loaded."""
        each = 1 if isinstance(row, BranchListRow) else None
        for wnid in picture_keys(row):
            loaded = self._references.get(wnid)
            if loaded is not None:
                yield from ((loaded.sheet, tile) for tile in loaded.tiles[:each])
            elif not self._references.is_missing(wnid):
                yield None


def paint_missing(painter: QPainter, area: QRectF, appearance: Appearance) -> None:
    """Fill the area like every place where a picture is missing."""
    painter.fillRect(area, appearance.colour("surround"))
    painter.fillRect(area, QBrush(_HATCH, Qt.BrushStyle.BDiagPattern))
    painter.setPen(Qt.GlobalColor.white)
    painter.setFont(appearance.font(TypeSize.CAPTION))
    if painter.fontMetrics().horizontalAdvance(NO_REFERENCES) <= area.width():
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, NO_REFERENCES)


def draw_cropped(painter: QPainter, cell: QRectF, sheet: QImage, tile: TileRect) -> None:
    """Fill the cell with the middle of the picture."""
    scale = max(cell.width() / tile.width, cell.height() / tile.height)
    part = QRectF(0, 0, cell.width() / scale, cell.height() / scale)
    part.moveCenter(QRectF(tile.x, tile.y, tile.width, tile.height).center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(cell, sheet, part)


def _cells(area: QRectF, *, columns: int) -> Sequence[QRectF]:
    """Divide the area into cells in the ratio 4 : 3, separated by the gap."""
    width = (area.width() - (columns - 1) * PICTURE_GAP) / columns
    rows = max(1, round((area.height() + PICTURE_GAP) / (width * 0.75 + PICTURE_GAP)))
    height = (area.height() - (rows - 1) * PICTURE_GAP) / rows
    return [
        QRectF(
            area.left() + column * (width + PICTURE_GAP),
            area.top() + row * (height + PICTURE_GAP),
            width,
            height,
        )
        .toAlignedRect()
        .toRectF()
        for row in range(rows)
        for column in range(columns)
    ]
