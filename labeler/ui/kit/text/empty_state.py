"""A state without pictures: an icon and a sentence in the middle of the room."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout

from labeler.ui.kit.text.icon_label import IconLabel
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_TEXT_WIDTH = 336


class EmptyState(QFrame):
    """Says in a sentence why there is nothing to see, and what can be done."""

    def __init__(self, look: Appearance, *, width: int = _TEXT_WIDTH) -> None:
        super().__init__()
        self._width = width
        self._icon = IconLabel(look, "about", colour="muted", size=40)
        self._sentence = label(rank="muted", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setFixedWidth(width)
        self.setProperty("kind", "card")
        whole = QVBoxLayout(self)
        whole.setSpacing(16)
        whole.addStretch()
        whole.addWidget(self._icon, alignment=Qt.AlignmentFlag.AlignHCenter)
        whole.addWidget(self._sentence, alignment=Qt.AlignmentFlag.AlignHCenter)
        whole.addStretch()
        look.changed.connect(self._make_room)

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, sentence: str, *, icon: str, colour: str = "muted") -> None:
        self._icon.set_icon(icon, colour=colour)
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        # A layout that centres a wrapped label gives it the height of too few lines.
        self._sentence.ensurePolished()
        # One without words, which is about to go, wants no height at all.
        height = self._sentence.heightForWidth(self._width)
        self._sentence.setMinimumHeight(max(0, height))
