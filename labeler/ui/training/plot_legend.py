"""What the signs of a plot mean; they differ in shape, so that grey is enough."""

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

_SYMBOL_SIZE, _TEXT_GAP, _ENTRY_GAP = 16.0, 6.0, 16.0


class LegendSymbol(Enum):
    """The signs that plots are made of."""

    DOT = "dot"
    LINE = "line"
    AMOUNT = "amount"
    BAR = "bar"
    MARK = "mark"


class PlotLegend(QWidget):
    """Draws signs with their words in one line."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._signs: list[tuple[LegendSymbol, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._follow)

    def show_signs(self, signs: Sequence[tuple[LegendSymbol, str]]) -> None:
        self._signs = list(signs)
        self.setAccessibleName("; ".join(f"{sign.value}: {words}" for sign, words in signs))
        self._follow()

    def sizeHint(self) -> QSize:
        metrics = self._metrics()
        words = sum(metrics.horizontalAdvance(words) for _sign, words in self._signs)
        around = len(self._signs) * (_SYMBOL_SIZE + _TEXT_GAP) + (len(self._signs) - 1) * _ENTRY_GAP
        return QSize(round(words + max(around, 0)) + 2, round(metrics.height()) + 4)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._look.font(TypeSize.CAPTION))
        metrics, x = self._metrics(), 0.0
        for sign, words in self._signs:
            self._paint_sign(painter, sign, QRectF(x, 0, _SYMBOL_SIZE, self.height()))
            x += _SYMBOL_SIZE + _TEXT_GAP
            width = metrics.horizontalAdvance(words) + 1
            painter.setPen(self._look.colour("muted"))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(x, 0, width, self.height()), middle, words)
            x += width + _ENTRY_GAP

    def _paint_sign(self, painter: QPainter, sign: LegendSymbol, room: QRectF) -> None:
        centre, colour = room.center(), self._look.colour
        painter.setPen(Qt.PenStyle.NoPen)
        match sign:
            case LegendSymbol.DOT:
                painter.setBrush(colour("text"))
                painter.drawEllipse(centre, 4, 4)
            case LegendSymbol.LINE:
                painter.setPen(QPen(colour("accent"), 2))
                painter.drawLine(
                    QPointF(room.left(), centre.y()), QPointF(room.right(), centre.y())
                )
            case LegendSymbol.AMOUNT:
                painter.setBrush(colour("strong_line"))
                painter.drawRect(QRectF(centre.x() - 3, centre.y() - 6, 6, 12))
            case LegendSymbol.BAR:
                painter.setBrush(colour("accent"))
                painter.drawRect(QRectF(room.left(), centre.y() - 5, _SYMBOL_SIZE, 10))
            case LegendSymbol.MARK:
                painter.setPen(QPen(colour("text"), 2))
                painter.drawLine(
                    QPointF(centre.x(), centre.y() - 7), QPointF(centre.x(), centre.y() + 7)
                )

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._look.font(TypeSize.CAPTION))

    def _follow(self) -> None:
        self.updateGeometry()
        self.update()
