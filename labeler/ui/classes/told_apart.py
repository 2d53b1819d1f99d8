"""What the guide says tells the compared classes apart."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea

from labeler.app.classes.comparison import DistinguishingTrait

_MAX_HEIGHT = 112


class ClassDifferences(QScrollArea):
    """A paragraph per pair; as tall as its text until that would take the pictures' room."""

    def __init__(self) -> None:
        super().__init__()
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.RichText)
        self._text.setWordWrap(True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setObjectName("told_apart")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self._text)
        self.setAccessibleName("What tells them apart")
        self.hide()

    def show_pairs(self, pairs: tuple[DistinguishingTrait, ...]) -> None:
        """Tell the traits; without any there is no strip."""
        self._text.setText("".join(_paragraph(pair) for pair in pairs))
        told = " ".join(f"{pair.one} or {pair.other}: {pair.trait}" for pair in pairs)
        self.setAccessibleDescription(told)
        self.setVisible(bool(pairs))
        self.verticalScrollBar().setValue(0)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        needed = max(0, self._text.heightForWidth(self.viewport().width()))
        self.setFixedHeight(min(_MAX_HEIGHT, needed))


def _paragraph(pair: DistinguishingTrait) -> str:
    names = f"<b>{escape(pair.one)} or {escape(pair.other)}?</b>"
    return f'<p style="margin:0 0 4px 0">{names} {escape(pair.trait)}</p>'
