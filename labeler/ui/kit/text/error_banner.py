"""A place for a sentence when something went wrong: quiet until then, heard when it comes."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from labeler.ui.kit.text.icon_label import IconLabel
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance


class ErrorBanner(QFrame):
    """An icon and a sentence; without a sentence it takes no room."""

    def __init__(self, look: Appearance, *, icon: str = "damaged", colour: str = "fault") -> None:
        super().__init__()
        self._sentence = label(wrap=True)
        self.setProperty("kind", "told")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(12)
        row.addWidget(IconLabel(look, icon, colour=colour, size=20))
        row.addWidget(self._sentence, stretch=1)
        self.hide()

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, sentence: str) -> None:
        """Show the sentence and have a screen reader read it; an empty one clears the place."""
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))
        if sentence:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))
