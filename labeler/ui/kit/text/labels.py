"""Labels in one of the program's ranks of type."""

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy


def label(text: str = "", *, rank: str = "body", wrap: bool = False) -> QLabel:
    """A plain-text label; `rank` is one of those that the style sheet knows."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("rank", rank)
    made.setWordWrap(wrap)
    return made


def wrapped_height(font: QFont, lines: int) -> int:
    """How high so many lines of a wrapped label are."""
    metrics = QFontMetricsF(font)
    # A text of several lines rounds each of its parts up.
    line = ceil(metrics.ascent()) + ceil(metrics.descent()) + ceil(max(metrics.leading(), 0))
    return lines * line


def divider_line() -> QFrame:
    """A hair line across."""
    line = QFrame()
    line.setProperty("kind", "divider")
    line.setFixedHeight(1)
    line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return line
