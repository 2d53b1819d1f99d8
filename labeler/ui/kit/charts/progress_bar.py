"""A thin line that fills; the words next to it carry the numbers."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_HEIGHT = 6


class ProgressBar(QWidget):
    """How much of a whole is done; a whole of unknown size shows an empty line."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._name = name
        self._part = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)
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
        frame = QRectF(self.rect())
        painter.setBrush(self._appearance.colour("line"))
        painter.drawRoundedRect(frame, _HEIGHT / 2, _HEIGHT / 2)
        if self._part:
            # Never shorter than its own round ends: a little is distinguished from nothing.
            frame.setWidth(max(frame.width() * self._part, _HEIGHT))
            painter.setBrush(self._appearance.colour("accent"))
            painter.drawRoundedRect(frame, _HEIGHT / 2, _HEIGHT / 2)


class WorkProgressCard(QFrame):
    """How far the work is, how long it may still take, and a way to stop it."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        """With the work's name, for anyone who can't see the line; hidden until there is work."""
        super().__init__()
        self.setProperty("kind", "card")
        self.sentence = label()
        self.line = ProgressBar(appearance, name)
        self.cancel = CommandButton(appearance, "Cancel")
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addWidget(self.sentence)
        words.addWidget(self.line)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(16)
        row.addLayout(words, stretch=1)
        row.addWidget(self.cancel)
        self.hide()

    def show_state(self, done: int, total: int, sentence: str) -> None:
        """Tell how far it is; a total of nothing means that no one knows."""
        counted = f" · {done:,} of {total:,}" if total else ""
        self.sentence.setText(f"{sentence}{counted}")
        self.line.show_part(done, total)
        self.show()
