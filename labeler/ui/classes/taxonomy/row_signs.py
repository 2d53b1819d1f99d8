"""The signs in front of a tree's rows: drawn once, since drawing curves takes longer than text."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

SYMBOL_SIZE = 12
_DOT = 2.5
_CLOSED = QPolygonF([QPointF(4, 2), QPointF(8, 6), QPointF(4, 10)])
_OPEN = QPolygonF([QPointF(2, 4), QPointF(6, 8), QPointF(10, 4)])


class RowSymbols:
    """A dot for a class, an arrow for a branch: to the right when closed, down when open."""

    def __init__(self, *, dot: QColor, arrow: QColor, dense: float) -> None:
        self.dense = dense
        self.dot = self._blank()
        painter = _painter(self.dot)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(dot)
        painter.drawEllipse(QPointF(SYMBOL_SIZE / 2, SYMBOL_SIZE / 2), _DOT, _DOT)
        painter.end()
        self.closed, self.open = (self._arrow(way, arrow) for way in (_CLOSED, _OPEN))

    def _arrow(self, way: QPolygonF, colour: QColor) -> QPixmap:
        pixmap = self._blank()
        painter = _painter(pixmap)
        painter.setPen(QPen(colour, 1.5))
        painter.drawPolyline(way)
        painter.end()
        return pixmap

    def _blank(self) -> QPixmap:
        pixmap = QPixmap(round(SYMBOL_SIZE * self.dense), round(SYMBOL_SIZE * self.dense))
        pixmap.setDevicePixelRatio(self.dense)
        pixmap.fill(Qt.GlobalColor.transparent)
        return pixmap


def _painter(pixmap: QPixmap) -> QPainter:
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter
