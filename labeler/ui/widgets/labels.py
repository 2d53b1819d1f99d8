"""Labels in one of the program's ranks of type."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy


def label(text: str = "", *, rank: str = "body", wrap: bool = False) -> QLabel:
    """A plain-text label; `rank` is one of those that the style sheet knows."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("rank", rank)
    made.setWordWrap(wrap)
    return made


def divider() -> QFrame:
    """A hair line across."""
    line = QFrame()
    line.setProperty("kind", "divider")
    line.setFixedHeight(1)
    line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return line
