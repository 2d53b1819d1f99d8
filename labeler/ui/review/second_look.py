"""The question of a second look: is anything wrong with this picture?"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import bind_action
from labeler.ui.window.look import Appearance

_QUESTION = "Is anything wrong with this picture?"
_SECOND_LOOK_HELP = (
    "Its labels don't matter here. Nobody tells you whether somebody found something."
)
_ANSWERS = {Action.NOTHING_WRONG: "Nothing is wrong", Action.FLAG_PROBLEM: "Something is wrong"}


class SecondLookPanel(QWidget):
    """Has the keyboard while a picture is looked at for the second time."""

    pressed = Signal(Action)

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_QUESTION)
        self.buttons: dict[Action, KeyButton] = {}
        answers = QHBoxLayout()
        answers.setSpacing(8)
        for action, words in _ANSWERS.items():
            # Neither answer is drawn as the usual one.
            self.buttons[action] = button = KeyButton(look, keymap[action], words)
            press = lambda _checked=False, a=action: self.pressed.emit(a)  # noqa: E731
            button.clicked.connect(press)
            bind_action(self, keymap[action], press).setAutoRepeat(False)
            answers.addWidget(button, stretch=1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(label(_QUESTION, rank="heading"))
        whole.addWidget(label(_SECOND_LOOK_HELP, rank="muted", wrap=True))
        whole.addSpacing(8)
        whole.addLayout(answers)
        whole.addStretch()

    def allow(self, can: bool) -> None:
        for button in self.buttons.values():
            button.setEnabled(can)
