"""One reference image, enlarged over the others."""

from PySide6.QtCore import QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QWidget

from labeler.app.presenters.references import TileRect
from labeler.ui.look import Look
from labeler.ui.theme import TypeSize

# A contact sheet holds small pictures: enlarged further they would only get blurred.
LARGEST_SCALE = 2.5
_CAPTION, _MARGIN = 32, 16


class EnlargedTile(QWidget):
    """Covers the grid while it is shown; a click puts the image back, the wheel goes on."""

    left = Signal()
    stepped = Signal(int)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._sheet = QPixmap()
        self._tile = TileRect(0, 0, 1, 1)
        self._place = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def show_tile(self, sheet: QPixmap, tile: TileRect, place: str) -> None:
        """Enlarge an image; `place` says which of how many it is."""
        self._sheet, self._tile, self._place = sheet, tile, place
        self.setAccessibleName(f"Enlarged reference image {place}")
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ground = QColor(self._look.colour("surround"))
        ground.setAlphaF(0.94)
        painter.fillRect(event.rect(), ground)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        where = self._picture_place()
        source = QRectF(self._tile.x, self._tile.y, self._tile.width, self._tile.height)
        painter.drawPixmap(where, self._sheet, source)
        painter.setFont(self._look.font(TypeSize.BODY))
        painter.setPen(self._look.colour("on_surround"))
        caption = QRectF(0, where.bottom(), self.width(), _CAPTION)
        painter.drawText(caption, Qt.AlignmentFlag.AlignCenter, self._place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.left.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        if event.angleDelta().y():
            self.stepped.emit(-1 if event.angleDelta().y() > 0 else 1)

    def _picture_place(self) -> QRectF:
        room = QSizeF(self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN - _CAPTION)
        scale = min(
            LARGEST_SCALE, room.width() / self._tile.width, room.height() / self._tile.height
        )
        place = QRectF(0, 0, self._tile.width * scale, self._tile.height * scale)
        place.moveCenter(QRectF(0, 0, self.width(), self.height() - _CAPTION).center())
        return place
