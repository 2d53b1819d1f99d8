"""A box that opens a list of choices, and looks as if it did."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox

from labeler.ui.look import Look

_FROM_RIGHT, _WIDE, _HIGH = 20, 4, 4


class ChoiceBox(QComboBox):
    """A combo box with an arrow in the theme's colour; the style sheet gives it no other."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self._look = look
        self.setAccessibleName(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._look.colour("muted" if self.isEnabled() else "line")
        painter.setPen(QPen(colour, 1.5))
        x, y = self.width() - _FROM_RIGHT, self.height() / 2
        upper, lower = y - _HIGH / 2, y + _HIGH / 2
        painter.drawPolyline(
            [QPointF(x, upper), QPointF(x + _WIDE, lower), QPointF(x + 2 * _WIDE, upper)]
        )
        painter.end()
