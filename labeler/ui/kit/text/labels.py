"""Labels in one of the program's text ranks."""

from math import ceil

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from labeler.ui.kit.text.text_painter import elide_path
from labeler.ui.window.icons import paint_icon
from labeler.ui.window.theme import Appearance


class ElidedLabel(QLabel):
    """A plain-text label of one line, elided if it is too long."""

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


class ElidedPath(ElidedLabel):
    """A path that is elided by whole steps."""

    def _fitting(self) -> str:
        metrics = QFontMetricsF(self.font())
        steps, _spans = elide_path(self.text(), (), metrics=metrics, width=self.width())
        return self.fontMetrics().elidedText(steps, self._mode, self.width())


_FADED = 0.4


class IconLabel(QWidget):
    """Draws an icon in a colour of the theme."""

    def __init__(self, appearance: Appearance, name: str, *, colour: str, size: int) -> None:
        super().__init__()
        self._appearance = appearance
        self._name = name
        self._colour = colour
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def set_icon(self, name: str, *, colour: str) -> None:
        self._name, self._colour = name, colour
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours = self._appearance.theme.colours
        where = QRectF(0, 0, self._size, self._size)
        painter = QPainter(self)
        painter.setOpacity(1.0 if self.isEnabled() else _FADED)
        paint_icon(
            painter,
            where,
            self._name,
            colour=colours[self._colour],
            background=colours["surface"],
        )


def label(text: str = "", *, rank: str = "body", wrap: bool = False) -> QLabel:
    """Return a plain-text label; `rank` is a rank of the style sheet."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("rank", rank)
    made.setWordWrap(wrap)
    return made


def wrapped_height(font: QFont, lines: int) -> int:
    """Return the height of a number of lines in a wrapped label."""
    metrics = QFontMetricsF(font)
    # A text of several lines rounds each of its parts up.
    line = ceil(metrics.ascent()) + ceil(metrics.descent()) + ceil(max(metrics.leading(), 0))
    return lines * line


def divider_line() -> QFrame:
    """Return a horizontal line."""
    line = QFrame()
    line.setProperty("kind", "divider")
    line.setFixedHeight(1)
    line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return line
