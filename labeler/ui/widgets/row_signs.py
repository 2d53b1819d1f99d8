"""The signs in front of a tree's rows: drawn once, since drawing curves takes longer than text."""

from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

_SIZE = 12
_DOT = 2.5
_CLOSED = QPolygonF([QPointF(4, 2), QPointF(8, 6), QPointF(4, 10)])
_OPEN = QPolygonF([QPointF(2, 4), QPointF(6, 8), QPointF(10, 4)])


class Sign(Enum):
    """What a row is."""

    CLASS = "class"
    CLOSED = "closed"
    OPEN = "open"


class RowSigns:
    """A dot for a class, an arrow for a branch: to the right when closed, down when open."""

    def __init__(self, *, dot: QColor, arrow: QColor) -> None:
        self._dot = dot
        self._arrow = QPen(arrow, 1.5)
        self._drawn: dict[tuple[Sign, float], QPixmap] = {}

    def draw(self, painter: QPainter, centre: QPointF, sign: Sign) -> None:
        """Paint a sign around a point."""
        dense = painter.device().devicePixelRatioF()
        pixmap = self._drawn.get((sign, dense))
        if pixmap is None:
            pixmap = self._drawn[sign, dense] = self._draw(sign, dense)
        painter.drawPixmap(round(centre.x()) - _SIZE // 2, round(centre.y()) - _SIZE // 2, pixmap)

    def _draw(self, sign: Sign, dense: float) -> QPixmap:
        pixmap = QPixmap(round(_SIZE * dense), round(_SIZE * dense))
        pixmap.setDevicePixelRatio(dense)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if sign is Sign.CLASS:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._dot)
            painter.drawEllipse(QRectF(0, 0, _SIZE, _SIZE).center(), _DOT, _DOT)
        else:
            painter.setPen(self._arrow)
            painter.drawPolyline(_OPEN if sign is Sign.OPEN else _CLOSED)
        painter.end()
        return pixmap
