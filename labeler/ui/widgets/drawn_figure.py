"""A figure on its white paper, as large as there is room."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

_MARGIN = 16


class DrawnFigure(QWidget):
    """Paints a picture in the middle, never distorted."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn = b""
        self._picture = QPixmap()
        self.setMinimumSize(320, 240)

    @property
    def is_shown(self) -> bool:
        return not self._picture.isNull()

    def show_figure(self, png: bytes, title: str) -> None:
        self.setAccessibleName(title)
        if png != self._drawn:
            self._drawn = png
            self._picture.loadFromData(png)
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        # A figure is ink on paper in both themes.
        painter.fillRect(self.rect(), QColor("white"))
        if self.is_shown:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            room = self.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
            size = self._picture.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRect(0, 0, size.width(), size.height())
            place.moveCenter(room.center())
            painter.drawPixmap(place, self._picture)
        painter.end()
