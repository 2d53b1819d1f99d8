"""A thin line that fills; the words beside it carry the numbers."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.ui.window.look import Appearance

_HEIGHT = 6


class ProgressBar(QWidget):
    """How much of a whole is done; a whole of unknown size shows an empty line."""

    def __init__(self, look: Appearance, name: str) -> None:
        super().__init__()
        self._look = look
        self._name = name
        self._part = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)
        self.show_part(0, 0)

    @property
    def part(self) -> float:
        return self._part

    def show_part(self, done: int, total: int) -> None:
        self._part = min(done / total, 1.0) if total else 0.0
        self.setAccessibleName(f"{self._name}: {done:,} of {total:,}" if total else self._name)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(80, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        painter.setBrush(self._look.colour("line"))
        painter.drawRoundedRect(whole, _HEIGHT / 2, _HEIGHT / 2)
        if self._part:
            # Never shorter than its own round ends: a little is told from nothing.
            whole.setWidth(max(whole.width() * self._part, _HEIGHT))
            painter.setBrush(self._look.colour("accent"))
            painter.drawRoundedRect(whole, _HEIGHT / 2, _HEIGHT / 2)
