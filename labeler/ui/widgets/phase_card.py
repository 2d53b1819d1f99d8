"""A phase of the study as a small card: its name, its state, and one sentence."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from labeler.app.overview import PhaseCard
from labeler.core.phases import PhaseState
from labeler.ui.look import Look
from labeler.ui.widgets.icon_label import IconLabel
from labeler.ui.widgets.labels import label

# A state has a word, and a shape and a colour that go by the same name.
STATE_WORDS = {
    PhaseState.CLOSED: "not open yet",
    PhaseState.OPEN: "open",
    PhaseState.LOCKED: "locked",
}
assert set(STATE_WORDS) == set(PhaseState), "every state has its word"


class PhaseCardWidget(QFrame):
    """Shows a phase; its state by word, shape and colour together."""

    def __init__(self, look: Look, card: PhaseCard) -> None:
        super().__init__()
        self._look = look
        self._state = card.state
        self.setProperty("kind", "card")
        self.setAccessibleName(f"{card.phase.capitalize()}: {STATE_WORDS[card.state]}")
        self.setAccessibleDescription(card.sentence)
        self._word = label(STATE_WORDS[card.state])
        self._lay_out(card)
        look.changed.connect(self._recolour)
        self._recolour()

    def _lay_out(self, card: PhaseCard) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(label(card.phase.capitalize(), rank="heading"))
        top.addStretch()
        top.addWidget(IconLabel(self._look, card.state, colour=card.state, size=16))
        top.addWidget(self._word)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 8, 16, 8)
        whole.setSpacing(4)
        whole.addLayout(top)
        whole.addWidget(label(card.sentence, rank="caption", wrap=True))
        whole.addStretch()

    def _recolour(self) -> None:
        colour = self._look.theme.colours[self._state]
        self._word.setStyleSheet(f"color: {colour}; font-weight: 600;")
