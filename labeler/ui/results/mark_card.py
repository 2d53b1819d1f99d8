"""What a mark of a figure says: a ring or a frame around it, and a card with its words."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

_TEXT_COLOUR = "#1d2129"
_RING_RADIUS, _CARD_DISTANCE = 8, 14
_CARD_BOUNDS = QRectF(0, 0, 560, 200)


def paint_mark(
    painter: QPainter, look: Appearance, mark: QRectF, words: str, inside: QRectF
) -> None:
    """Paint both; the card stays inside, at whichever side of the mark there is room."""
    where = mark.center()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(_TEXT_COLOUR), 2))
    if mark.isEmpty():
        painter.drawEllipse(where, _RING_RADIUS, _RING_RADIUS)
    else:
        painter.drawRect(mark)
    painter.setFont(look.font(TypeSize.CAPTION))
    flags = int(Qt.AlignmentFlag.AlignLeft)
    card = QRectF(painter.boundingRect(_CARD_BOUNDS, flags, words)).adjusted(0, 0, 16, 12)
    card.moveTo(where + QPointF(_CARD_DISTANCE, _CARD_DISTANCE))
    if card.right() > inside.right():
        card.moveRight(where.x() - _CARD_DISTANCE)
    if card.bottom() > inside.bottom():
        card.moveBottom(where.y() - _CARD_DISTANCE)
    card.moveLeft(max(card.left(), inside.left()))
    card.moveTop(max(card.top(), inside.top()))
    painter.setPen(QPen(look.colour("strong_line"), 1))
    painter.setBrush(look.colour("raised"))
    painter.drawRoundedRect(card, 4, 4)
    painter.setPen(look.colour("text"))
    painter.drawText(card.adjusted(8, 6, -8, -6), flags, words)
