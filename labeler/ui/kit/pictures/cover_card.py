"""The card that stands in the image's place while the person pauses."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.text.icon_label import IconLabel
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_CARD_WIDTH = 288


class PauseCard(QFrame):
    """Says why the image is covered, and offers to go on."""

    resume_wanted = Signal()

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._icon = IconLabel(look, "pause", colour="muted", size=40)
        self._sentence = label(wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setFixedWidth(_CARD_WIDTH)
        self.resume = QPushButton("Resume")
        self.resume.setDefault(True)
        self.resume.setAccessibleName("Resume")
        self.resume.clicked.connect(self.resume_wanted)
        self._lay_out(KeyCaps(look, keymap[Action.PAUSE].keys[:1]))

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        # A layout that centres a wrapped label gives it the height of too few lines.
        self._sentence.setMinimumHeight(self._sentence.heightForWidth(_CARD_WIDTH))
        self.setAccessibleName(sentence)

    def _lay_out(self, caps: KeyCaps) -> None:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch()
        foot.addWidget(self.resume)
        foot.addWidget(caps)
        foot.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(24, 24, 24, 24)
        whole.setSpacing(16)
        whole.addWidget(self._icon, alignment=Qt.AlignmentFlag.AlignHCenter)
        whole.addWidget(self._sentence, alignment=Qt.AlignmentFlag.AlignHCenter)
        whole.addLayout(foot)
