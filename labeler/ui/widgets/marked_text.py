"""Text on one line with the stretches that matched marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from labeler.app.presenters.class_views import STEP
from labeler.core.search_hits import Span

_HIDDEN_STEPS = "…" + STEP


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of a marked line: its text, the marks, and the text on them."""

    text: QColor
    mark: QColor
    on_mark: QColor


def draw_marked(
    painter: QPainter,
    line: QRectF,
    text: str,
    *,
    spans: Sequence[Span],
    font: QFont,
    inks: Inks,
) -> None:
    """Draw the text into the line, cut off at its end where it is too long."""
    metrics = QFontMetricsF(font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    baseline = line.top() + (line.height() + metrics.ascent() - metrics.descent()) / 2
    painter.setFont(font)
    painter.setPen(inks.text)
    painter.drawText(QPointF(line.left(), baseline), shown)
    kept = len(shown) - 1 if shown != text else len(text)
    for span in spans:
        if span.start < min(span.end, kept):
            piece = shown[span.start : min(span.end, kept)]
            x = line.left() + metrics.horizontalAdvance(shown[: span.start])
            width = metrics.horizontalAdvance(piece)
            painter.fillRect(QRectF(x, line.top(), width, line.height()), inks.mark)
            painter.setPen(inks.on_mark)
            painter.drawText(QPointF(x, baseline), piece)


def fit_path(
    path: str, spans: Sequence[Span], *, font: QFont, width: float
) -> tuple[str, tuple[Span, ...]]:
    """The path without as many of its first steps as must go, and the spans moved along."""
    metrics = QFontMetricsF(font)
    rest = path
    while STEP in rest and metrics.horizontalAdvance(_shortened(rest, path)) > width:
        rest = rest.partition(STEP)[2]
    shown = _shortened(rest, path)
    moved = len(shown) - len(path)
    first = len(shown) - len(rest)
    shifted = (Span(max(s.start + moved, first), s.end + moved) for s in spans)
    return shown, tuple(span for span in shifted if span.start < span.end)


def _shortened(rest: str, path: str) -> str:
    return path if rest == path else _HIDDEN_STEPS + rest
