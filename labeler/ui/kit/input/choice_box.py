"""A box that opens a list of choices, and looks as if it did."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QCursor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox

from labeler.ui.window.look import Appearance

_ARROW_INSET, _ARROW_WIDTH, _ARROW_HEIGHT = 20, 4, 4


class ChoiceBox(QComboBox):
    """A combo box with an arrow in the theme's colour; the style sheet gives it no other."""

    def __init__(self, look: Appearance, name: str) -> None:
        super().__init__()
        self._look = look
        self.setAccessibleName(name)

    def hidePopup(self) -> None:
        """Close the list; the pointer that chose in it may be far from the box."""
        super().hidePopup()
        # Qt tells a box whose list was open nothing of the pointer's leaving: it stayed lit.
        if not self.rect().contains(self.mapFromGlobal(QCursor.pos())):
            self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on=False)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._look.colour("muted" if self.isEnabled() else "line")
        painter.setPen(QPen(colour, 1.5))
        x, y = self.width() - _ARROW_INSET, self.height() / 2
        upper, lower = y - _ARROW_HEIGHT / 2, y + _ARROW_HEIGHT / 2
        painter.drawPolyline(
            [
                QPointF(x, upper),
                QPointF(x + _ARROW_WIDTH, lower),
                QPointF(x + 2 * _ARROW_WIDTH, upper),
            ]
        )
        painter.end()
