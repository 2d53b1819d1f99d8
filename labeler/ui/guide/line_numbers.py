"""The numbers beside a text's lines, with a mark where something is wrong."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

_SIDE, _MARK = 8, 6


class LineNumbers(QWidget):
    """A column at the left of a text; it shows what it is told about the blocks in sight."""

    def __init__(self, look: Appearance, text: "NumberedTextEdit") -> None:
        super().__init__(text)
        self._look = look
        self._text = text

    def sizeHint(self) -> QSize:
        return QSize(self.width_wanted(), 0)

    def width_wanted(self) -> int:
        """Room for the highest number and a mark."""
        digits = max(2, len(str(self._text.blockCount())))
        figure = self.fontMetrics().horizontalAdvance("9")
        return 2 * _SIDE + _MARK + digits * figure

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._look.colour("window"))
        painter.setFont(self._look.font(TypeSize.CAPTION))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, place in self._text.visible_lines():
            self._paint_number(painter, number, place)

    def _paint_number(self, painter: QPainter, number: int, place: QRectF) -> None:
        current = number == self._text.current_line
        painter.setPen(self._look.colour("text" if current else "muted"))
        room = QRectF(0, place.top(), self.width() - _SIDE, self._text.line_height)
        painter.drawText(
            room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number)
        )
        colour = self._text.marks.get(number)
        if colour is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.colour(colour))
            middle = QPointF(_SIDE / 2 + _MARK / 2, room.center().y())
            painter.drawEllipse(middle, _MARK / 2, _MARK / 2)


class NumberedTextEdit(QPlainTextEdit):
    """What the column needs to know of the text beside it."""

    marks: dict[int, str]

    @property
    def current_line(self) -> int:
        return self.textCursor().blockNumber() + 1

    @property
    def line_height(self) -> float:
        return self.fontMetrics().height()

    def visible_lines(self) -> list[tuple[int, QRectF]]:
        """The numbers of the lines that can be seen, and where they are."""
        found, block = [], self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > self.viewport().height():
                break
            if block.isVisible():
                found.append((block.blockNumber() + 1, place))
            block = block.next()
        return found
