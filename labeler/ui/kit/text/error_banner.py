"""A banner for one sentence: an error, or what was done, hidden until there is something to say."""

from enum import Enum

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.text.labels import IconLabel, label, wrapped_height
from labeler.ui.window.theme import Appearance, TypeSize


class BannerKind(Enum):
    """What a banner is about: its icon, and the colour of the icon."""

    ERROR = ("damaged", "fault")
    DONE = ("right", "open")
    INFO = ("about", "accent")
    WAITING = ("waiting", "accent")
    PAUSED = ("pause", "locked")
    LOCKED = ("locked", "locked")
    FOLDER = ("folder", "muted")


class ErrorBanner(QFrame):
    """An icon and a sentence; without a sentence it takes no room."""

    def __init__(self, appearance: Appearance, kind: BannerKind = BannerKind.ERROR) -> None:
        super().__init__()
        self._kind = kind
        self._sentence = label(wrap=True)
        icon, colour = kind.value
        self._icon = IconLabel(appearance, icon, colour=colour, size=20)
        self.setProperty("kind", "told")
        hbox(self._icon, grow(self._sentence), on=self, spacing=12, margins=(16, 8, 16, 8))
        self.hide()

    @property
    def kind(self) -> BannerKind:
        return self._kind

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, sentence: str, kind: BannerKind | None = None) -> None:
        """Show the sentence and have a screen reader read it; an empty one hides the banner.

        `kind` is for a banner that says different things at different times.
        """
        if kind is not None:
            self._kind = kind
            icon, colour = kind.value
            self._icon.set_icon(icon, colour=colour)
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))
        if sentence:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))


# The frame's lines and what it keeps free above and below the sentence.
_FRAME_HEIGHT = 18


class ErrorBannerSpace(QWidget):
    """As high as so many lines of a sentence, whether there is one or not.

    Of several banners in it, only one says something at a time.
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
