"""An icon that stands by itself."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.ui.window.icons import paint_icon
from labeler.ui.window.look import Appearance

_FADED = 0.4


class IconLabel(QWidget):
    """Draws an icon in a colour of the theme; the words beside it say what it means."""

    def __init__(self, look: Appearance, name: str, *, colour: str, size: int) -> None:
        super().__init__()
        self._look = look
        self._name = name
        self._colour = colour
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def set_icon(self, name: str, *, colour: str) -> None:
        self._name, self._colour = name, colour
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours = self._look.theme.colours
        where = QRectF(0, 0, self._size, self._size)
        painter = QPainter(self)
        painter.setOpacity(1.0 if self.isEnabled() else _FADED)
        paint_icon(
            painter,
            where,
            self._name,
            colour=colours[self._colour],
            behind=colours["surface"],
        )
