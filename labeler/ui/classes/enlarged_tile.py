"""One reference image, enlarged over the others."""

from PySide6.QtCore import QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from labeler.app.classes.references import TileRect
from labeler.ui.window.theme import Appearance, TypeSize

# The limits up to which a small picture is enlarged.
MAX_ENLARGEMENT = 2.0
COMFORTABLE_SIZE = 320
_CAPTION, _MARGIN = 32, 16


class EnlargedTile(QWidget):
    """Covers the grid while shown; a click closes it, the wheel goes to the next image."""

    left = Signal()
    stepped = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._picture = QPixmap()
        self._shown = QPixmap()
        self._place = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    @property
    def picture_size(self) -> QSizeF:
        """The size of the picture on the screen."""
        return self._picture_place().size()

    def show_tile(self, sheet: QPixmap, tile: TileRect, place: str) -> None:
        """Enlarge an image from its sheet; `place` says which of how many it is."""
        self._place = place
        self.setAccessibleName(f"Enlarged reference image {place}")
        self.sharpen(sheet.copy(tile.x, tile.y, tile.width, tile.height))
        self.show()
        self.raise_()

    def sharpen(self, picture: QPixmap) -> None:
        """Replace the picture by a better one of the same image."""
        self._picture = picture
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ground = QColor(self._appearance.colour("surround"))
        ground.setAlphaF(0.94)
        painter.fillRect(event.rect(), ground)
        where = self._picture_place()
        painter.drawPixmap(where.topLeft(), self._shown)
        painter.setFont(self._appearance.font(TypeSize.BODY))
        painter.setPen(self._appearance.colour("on_surround"))
        caption = QRectF(0, where.bottom(), self.width(), _CAPTION)
        painter.drawText(caption, Qt.AlignmentFlag.AlignCenter, self._place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.left.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        if event.angleDelta().y():
            self.stepped.emit(-1 if event.angleDelta().y() > 0 else 1)

    def _fit(self) -> None:
        """Scale the picture once, since it is painted often."""
        if self._picture.isNull():
            return
        ratio = self.devicePixelRatioF()
        self._shown = self._picture.scaled(
            (self._picture_place().size() * ratio).toSize(),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        self._shown.setDevicePixelRatio(ratio)
        self.update()

    def _picture_place(self) -> QRectF:
        width, height = max(1, self._picture.width()), max(1, self._picture.height())
        room = QSizeF(self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN - _CAPTION)
        scale = min(_comfortable_scale(width, height), room.width() / width, room.height() / height)
        size = QSizeF(max(1, round(width * scale)), max(1, round(height * scale)))
        x = round((self.width() - size.width()) / 2)
        y = round((self.height() - _CAPTION - size.height()) / 2)
        return QRectF(x, y, size.width(), size.height())


def _comfortable_scale(width: int, height: int) -> float:
    """Return the size to show it in: a small picture is enlarged until it would look blurred."""
    return max(1.0, min(MAX_ENLARGEMENT, COMFORTABLE_SIZE / max(width, height)))
