"""Type for lines that are painted over and over: each text is shaped once."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QStaticText, QTransform

# Shaping takes most of a line's time; all names of the taxonomy find room.
TEXTS_KEPT = 4_000


class LineType:
    """A font in a colour."""

    def __init__(self, font: QFont, colour: QColor) -> None:
        self._font = font
        self._colour = colour
        self._metrics = QFontMetricsF(font)
        self._texts: dict[str, tuple[QStaticText, float]] = {}
        self.height = self._metrics.height()

    def width(self, text: str) -> float:
        return self._shaped(text)[1]

    def cut(self, text: str, room: float) -> str:
        """The text with as much of its end left off as must be."""
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def draw(self, painter: QPainter, x: float, middle: float, text: str) -> None:
        """Paint the text from x on, around a line's middle."""
        painter.setFont(self._font)
        painter.setPen(self._colour)
        # On whole pixels all lines look alike.
        top = round(middle - self.height / 2)
        painter.drawStaticText(QPointF(x, top), self._shaped(text)[0])

    def _shaped(self, text: str) -> tuple[QStaticText, float]:
        known = self._texts.get(text)
        if known is None:
            if len(self._texts) >= TEXTS_KEPT:
                self._texts.clear()
            shaped = QStaticText(text)
            shaped.setTextFormat(Qt.TextFormat.PlainText)
            shaped.prepare(QTransform(), self._font)
            known = self._texts[text] = shaped, self._metrics.horizontalAdvance(text)
        return known
