"""Type for lines that are painted over and over: each text is measured and laid out once."""

from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QStaticText

# All names of the taxonomy find room.
TEXT_CACHE_SIZE = 4096


class StaticTextPainter:
    """A font in a colour; all measures are whole pixels, so that all lines look alike."""

    def __init__(self, font: QFont, colour: QColor) -> None:
        self._font = font
        self._colour = colour
        self._metrics = QFontMetrics(font)
        self._above_middle = (self._metrics.ascent() + self._metrics.descent() + 1) // 2
        self.height = self._metrics.height()
        self.width = lru_cache(TEXT_CACHE_SIZE)(self._metrics.horizontalAdvance)
        self._laid_out = lru_cache(TEXT_CACHE_SIZE)(_static_text)

    def cut(self, text: str, room: int) -> str:
        """The text with as much of its end left off as must be."""
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def draw(self, painter: QPainter, x: int, middle: int, text: str) -> None:
        """Paint the text from x on, around a line's middle."""
        painter.setFont(self._font)
        painter.setPen(self._colour)
        painter.drawStaticText(x, middle - self._above_middle, self._laid_out(text))


def _static_text(text: str) -> QStaticText:
    laid_out = QStaticText(text)
    laid_out.setTextFormat(Qt.TextFormat.PlainText)
    laid_out.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    return laid_out
