"""Paints a line of text with highlighted matches."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QStaticText

from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.core.classes.search.hits import TextSpan

# All names of the taxonomy find room.
TEXT_CACHE_SIZE = 4096


class StaticTextPainter:
    """A font in a colour; all metrics are whole pixels, so that all lines look alike."""

    def __init__(self, font: QFont, colour: QColor) -> None:
        self._font = font
        self._colour = colour
        self._metrics = QFontMetrics(font)
        self._above_middle = (self._metrics.ascent() + self._metrics.descent() + 1) // 2
        self.height = self._metrics.height()
        self.width = lru_cache(TEXT_CACHE_SIZE)(self._metrics.horizontalAdvance)
        self._laid_out = lru_cache(TEXT_CACHE_SIZE)(_static_text)

    def cut(self, text: str, room: int) -> str:
        """Return the text, elided at its end if needed."""
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


_PATH_ELLIPSIS = "…" + PATH_SEPARATOR


@dataclass(frozen=True, slots=True)
class LineStyle:
    """The style of a line: font, text colour and highlight colours."""

    font: QFont
    metrics: QFontMetricsF
    text: QColor
    mark: QColor
    on_mark: QColor


def draw_highlighted(
    painter: QPainter, line: QRectF, text: str, *, spans: Sequence[TextSpan], style: LineStyle
) -> None:
    """Draw the text into the line, cut off at its end where it is too long."""
    metrics = style.metrics
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    baseline = line.top() + (line.height() + metrics.ascent() - metrics.descent()) / 2
    painter.setFont(style.font)
    painter.setPen(style.text)
    painter.drawText(QPointF(line.left(), baseline), shown)
    kept = len(shown) - 1 if shown != text else len(text)
    for span in spans:
        piece = shown[span.start : min(span.end, kept)]
        x = line.left() + metrics.horizontalAdvance(shown[: span.start])
        width = metrics.horizontalAdvance(piece)
        painter.fillRect(QRectF(x, line.top(), width, line.height()), style.mark)
        painter.setPen(style.on_mark)
        painter.drawText(QPointF(x, baseline), piece)


def elide_path(
    path: str, spans: Sequence[TextSpan], *, metrics: QFontMetricsF, width: float
) -> tuple[str, tuple[TextSpan, ...]]:
    """Return the path without as many first steps as needed, with shifted spans."""
    if metrics.horizontalAdvance(path) <= width:
        return path, tuple(spans)
    room = width - metrics.horizontalAdvance(_PATH_ELLIPSIS)
    rest = path
    while PATH_SEPARATOR in rest and (rest is path or metrics.horizontalAdvance(rest) > room):
        rest = rest.partition(PATH_SEPARATOR)[2]
    shown = _PATH_ELLIPSIS + rest
    moved = len(shown) - len(path)
    shifted = (TextSpan(max(s.start + moved, len(_PATH_ELLIPSIS)), s.end + moved) for s in spans)
    return shown, tuple(span for span in shifted if span.start < span.end)
