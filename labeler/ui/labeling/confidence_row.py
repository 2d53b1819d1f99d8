"""How sure the labeler is: five levels, each with its key, for studies that ask."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.core.labeling.answers import CONFIDENCE_LEVELS
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

CONFIDENCE_ACTIONS = (
    Action.CONFIDENCE_1,
    Action.CONFIDENCE_2,
    Action.CONFIDENCE_3,
    Action.CONFIDENCE_4,
    Action.CONFIDENCE_5,
)
_CONFIDENCE_TEXTS = ("Guess", "Unsure", "Fair", "Sure", "Certain")
assert len(CONFIDENCE_ACTIONS) == len(_CONFIDENCE_TEXTS) == CONFIDENCE_LEVELS, (
    "every level has its button"
)


class ConfidenceRow(QWidget):
    """One button for each level; the chosen one is pressed in."""

    pressed = Signal(Action)

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.setAccessibleName("Confidence")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label("Confidence", rank="caption"))
        self.levels = []
        for action, word in zip(CONFIDENCE_ACTIONS, _CONFIDENCE_TEXTS, strict=True):
            button = KeyButton(look, keymap[action], word, checkable=True)
            button.clicked.connect(lambda _checked=False, a=action: self.pressed.emit(a))
            row.addWidget(button)
            self.levels.append(button)

    def show_level(self, level: int | None) -> None:
        for number, button in enumerate(self.levels, start=1):
            button.setChecked(number == level)
