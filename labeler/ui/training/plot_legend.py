"""What the signs of a plot mean; they differ in shape, so that grey is enough."""

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.ui.window.look import Look
from labeler.ui.window.theme import TypeSize

_SIGN, _BESIDE, _BETWEEN = 16.0, 6.0, 16.0


class Sign(Enum):
    """The signs that plots are made of."""

    DOT = "dot"
    LINE = "line"
    AMOUNT = "amount"
    BAR = "bar"
    MARK = "mark"


class PlotLegend(QWidget):
    """Draws signs with their words in one line."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._signs: list[tuple[Sign, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._follow)

    def show_signs(self, signs: Sequence[tuple[Sign, str]]) -> None:
        self._signs = list(signs)
        self.setAccessibleName("; ".join(f"{sign.value}: {words}" for sign, words in signs))
        self._follow()

    def sizeHint(self) -> QSize:
        metrics = self._metrics()
        words = sum(metrics.horizontalAdvance(words) for _sign, words in self._signs)
        around = len(self._signs) * (_SIGN + _BESIDE) + (len(self._signs) - 1) * _BETWEEN
        return QSize(round(words + max(around, 0)) + 2, round(metrics.height()) + 4)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._look.font(TypeSize.CAPTION))
        metrics, x = self._metrics(), 0.0
        for sign, words in self._signs:
            self._paint_sign(painter, sign, QRectF(x, 0, _SIGN, self.height()))
            x += _SIGN + _BESIDE
            width = metrics.horizontalAdvance(words) + 1
            painter.setPen(self._look.colour("muted"))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(x, 0, width, self.height()), middle, words)
            x += width + _BETWEEN

    def _paint_sign(self, painter: QPainter, sign: Sign, room: QRectF) -> None:
        centre, colour = room.center(), self._look.colour
        painter.setPen(Qt.PenStyle.NoPen)
        match sign:
            case Sign.DOT:
                painter.setBrush(colour("text"))
                painter.drawEllipse(centre, 4, 4)
            case Sign.LINE:
                painter.setPen(QPen(colour("accent"), 2))
                painter.drawLine(
                    QPointF(room.left(), centre.y()), QPointF(room.right(), centre.y())
                )
            case Sign.AMOUNT:
                painter.setBrush(colour("strong_line"))
                painter.drawRect(QRectF(centre.x() - 3, centre.y() - 6, 6, 12))
            case Sign.BAR:
                painter.setBrush(colour("accent"))
                painter.drawRect(QRectF(room.left(), centre.y() - 5, _SIGN, 10))
            case Sign.MARK:
                painter.setPen(QPen(colour("text"), 2))
                painter.drawLine(
                    QPointF(centre.x(), centre.y() - 7), QPointF(centre.x(), centre.y() + 7)
                )

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._look.font(TypeSize.CAPTION))

    def _follow(self) -> None:
        self.updateGeometry()
        self.update()
