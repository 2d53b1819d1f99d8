"""The buttons of a review: verdicts, kinds of correctness, and the way around."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.core.study import CorrectKind, Verdict
from labeler.ui.look import Look
from labeler.ui.widgets.elided_label import ElidedLabel
from labeler.ui.widgets.key_button import KeyButton

JUDGING: dict[Action, tuple[Verdict, CorrectKind | None]] = {
    Action.JUDGE_CORRECT: (Verdict.CORRECT, None),
    Action.JUDGE_WRONG: (Verdict.WRONG, None),
    Action.JUDGE_UNCLEAR: (Verdict.UNCLEAR, None),
    Action.JUDGE_SEVERAL: (Verdict.CORRECT, CorrectKind.SEVERAL_OBJECTS),
    Action.JUDGE_SYNONYM: (Verdict.CORRECT, CorrectKind.SYNONYM_OR_SUBSET),
    Action.JUDGE_AMBIGUOUS: (Verdict.CORRECT, CorrectKind.AMBIGUOUS),
}
_WORDS = {
    Action.JUDGE_CORRECT: "Correct",
    Action.JUDGE_WRONG: "Wrong",
    Action.JUDGE_UNCLEAR: "Unclear",
    Action.JUDGE_SEVERAL: "Correct: several objects",
    Action.JUDGE_SYNONYM: "Correct: synonym, subset",
    Action.JUDGE_AMBIGUOUS: "Correct: ambiguous",
}
assert set(_WORDS) == set(JUDGING), "every way of judging has its words"
_IN_ROW = 3


class VerdictBar(QWidget):
    """Every button says which action it stands for; a line above them says what happened."""

    pressed = Signal(Action)

    def __init__(self, look: Look, keymap: Keymap, further: Sequence[tuple[Action, str]]) -> None:
        """`further` are the screen's own actions, below the verdicts."""
        super().__init__()
        self.notice = ElidedLabel(rank="notice")
        self.buttons: dict[Action, KeyButton] = {}
        grid = QGridLayout()
        grid.setSpacing(8)
        for number, (action, words) in enumerate((*_WORDS.items(), *further)):
            # No verdict is drawn as the usual one: the buttons must not lean to any.
            button = KeyButton(look, keymap[action], words)
            button.clicked.connect(lambda _checked=False, a=action: self.pressed.emit(a))
            self.buttons[action] = button
            grid.addWidget(button, number // _IN_ROW, number % _IN_ROW)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self.notice)
        whole.addLayout(grid)

    def allow(self, allowed: dict[Action, bool]) -> None:
        """Say which buttons can do something now; those not named stay as they are."""
        for action, can in allowed.items():
            self.buttons[action].setEnabled(can)

    def allow_judging(self, can: bool) -> None:
        self.allow(dict.fromkeys(JUDGING, can))
