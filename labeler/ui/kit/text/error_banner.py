"""A place for a sentence when something went wrong: quiet until then, heard when it comes."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from labeler.ui.kit.text.labels import IconLabel, label, wrapped_height
from labeler.ui.window.theme import Appearance, TypeSize


class ErrorBanner(QFrame):
    """An icon and a sentence; without a sentence it takes no room."""

    def __init__(
        self, appearance: Appearance, *, icon: str = "damaged", colour: str = "fault"
    ) -> None:
        super().__init__()
        self._sentence = label(wrap=True)
        self.setProperty("kind", "told")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(12)
        row.addWidget(IconLabel(appearance, icon, colour=colour, size=20))
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


# The frame's lines and what it keeps free above and below the sentence.
_FRAME_HEIGHT = 18


class ErrorBannerSpace(QWidget):
    """As high as so many lines of a sentence, whether there is one or not.

    Of several places for one, only one says something at a time.
    """

    def __init__(self, appearance: Appearance, *banners: ErrorBanner, lines: int) -> None:
        super().__init__()
        self._appearance, self._lines = appearance, lines
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for place in banners:
            column.addWidget(place)
        column.addStretch()
        appearance.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = wrapped_height(self._appearance.font(TypeSize.BODY), self._lines)
        self.setMinimumHeight(lines + _FRAME_HEIGHT)
