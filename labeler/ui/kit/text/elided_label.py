"""A line of text that gives way: cut where there is no room, whole in its tooltip."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class ElidedLabel(QLabel):
    """A plain-text label of one line in a rank of type that may change."""

    def __init__(self, *, rank: str, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("rank", rank)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_rank(self, rank: str) -> None:
        if self.property("rank") != rank:
            self.setProperty("rank", rank)
            self.style().unpolish(self)
            self.style().polish(self)

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self.setToolTip(text)

    def _fitting(self) -> str:
        """The text as far as there is room; with `ElideNone`, all of it or nothing."""
        if self._mode is Qt.TextElideMode.ElideNone:
            wide = self.fontMetrics().horizontalAdvance(self.text())
            return self.text() if wide <= self.width() else ""
        return self.fontMetrics().elidedText(self.text(), self._mode, self.width())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        shown = self._fitting()
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), int(self.alignment()), shown)
