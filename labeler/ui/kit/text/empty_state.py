"""A placeholder: an icon and a sentence in the centre."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.theme import Appearance

# Most studies open sooner, and a text that flashes would only distract.
_SHOWN_AFTER_MS = 400


class LoadingScreen(QWidget):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._late = QTimer(self, singleShot=True, interval=_SHOWN_AFTER_MS)
        self._late.timeout.connect(self._say)
        self._late.start()

    def _say(self) -> None:

        message = EmptyState(self._appearance)
        message.say("Opening the study…", icon="waiting")
        vbox(message, on=self, margins=(16, 16, 16, 16))


_TEXT_WIDTH = 336


class EmptyState(QFrame):
    """Says why there is nothing to see, and what to do."""

    def __init__(self, appearance: Appearance, *, width: int = _TEXT_WIDTH) -> None:
        super().__init__()
        self._width = width
        self._icon = IconLabel(appearance, "about", colour="muted", size=40)
        self._sentence = label(rank="muted", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setFixedWidth(width)
        self.setProperty("kind", "card")
        layout = QVBoxLayout(self)
        layout.setSpacing(16)
        layout.addStretch()
        layout.addWidget(self._icon, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._sentence, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch()
        appearance.changed.connect(self._make_room)

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
        # Without a text it takes no height.
        height = self._sentence.heightForWidth(self._width)
        self._sentence.setMinimumHeight(max(0, height))
