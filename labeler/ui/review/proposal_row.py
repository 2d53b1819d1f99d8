"""A class that may be right too, with what to look for: taken or left, never set by itself."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.review.views import ProposedLabelView
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.text.elided_label import ElidedLabel
from labeler.ui.window.look import Appearance

_PROPOSAL_TEXTS = {Action.ACCEPT_PROPOSAL: "Add it", Action.NEXT_VISIT: "Go on without"}


class ProposedLabelRow(QWidget):
    """Shows the first class that is proposed; gone while there is none."""

    pressed = Signal(Action)

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.words = ElidedLabel(rank="wanted")
        self.buttons = {
            a: KeyButton(look, keymap[a], words) for a, words in _PROPOSAL_TEXTS.items()
        }
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.words, stretch=1)
        for action, button in self.buttons.items():
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _checked=False, a=action: self.pressed.emit(a))
            row.addWidget(button)

    def show_proposal(self, proposed: ProposedLabelView | None, *, all_judged: bool) -> None:
        """`all_judged` when nothing but the proposal keeps the image."""
        self.setVisible(proposed is not None)
        if proposed is not None:
            self.words.setText(f"Also {proposed.name}, when {proposed.when}?")
        self.buttons[Action.NEXT_VISIT].setVisible(all_judged)
