"""The buttons of a review: verdicts, kinds of correctness, and navigation."""

from collections.abc import Collection, Sequence
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.core.review.blind_types import OwnVerdict
from labeler.core.study.entities import CorrectKind, Verdict
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import gap, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.review.verdict_mark import (
    SHORT_KIND_WORDS,
    VERDICT_WORDS,
    VerdictMark,
    verdict_words,
)
from labeler.ui.window.theme import Appearance, TypeSize

VERDICT_ACTIONS: dict[Action, tuple[Verdict, CorrectKind | None]] = {
    Action.JUDGE_CORRECT: (Verdict.CORRECT, None),
    Action.JUDGE_WRONG: (Verdict.WRONG, None),
    Action.JUDGE_UNCLEAR: (Verdict.UNCLEAR, None),
    Action.JUDGE_SEVERAL: (Verdict.CORRECT, CorrectKind.SEVERAL_OBJECTS),
    Action.JUDGE_SYNONYM: (Verdict.CORRECT, CorrectKind.SYNONYM_OR_SUBSET),
    Action.JUDGE_AMBIGUOUS: (Verdict.CORRECT, CorrectKind.AMBIGUOUS),
}
_VERDICTS_PER_ROW, _NAVIGATION_PER_ROW = 3, 4
_GAP = 8


class VerdictBar(QWidget):
    """Buttons for actions, and a line for messages above them."""

    pressed = Signal(Action)

    def __init__(
        self, appearance: Appearance, keymap: Keymap, further: Sequence[tuple[Action, str]]
    ) -> None:
        """`further` are the screen's additional actions, below the verdicts."""
        super().__init__()
        self._appearance, self._keymap = appearance, keymap
        # One line is reserved; errors are shown in full, even if longer.
        self.notice = label(rank="notice", wrap=True)
        self.notice.setMinimumHeight(QFontMetrics(appearance.font(TypeSize.BODY)).height())
        self.buttons: dict[Action, KeyButton] = {}
        self._verdicts = self._grid([self._verdict(a) for a in VERDICT_ACTIONS], _VERDICTS_PER_ROW)
        self._side_buttons = [self._button(action, words) for action, words in further]
        self._further = self._grid(self._side_buttons, _balanced_row_length(self._side_buttons))
        vbox(self.notice, self._verdicts, gap(_GAP), self._further, on=self, spacing=_GAP)

    def allow(self, allowed: dict[Action, bool]) -> None:
        """Enable or disable buttons; others are unchanged."""
        for action, can in allowed.items():
            self.buttons[action].setEnabled(can)

    def allow_judging(self, can: bool) -> None:
        self.allow(dict.fromkeys(VERDICT_ACTIONS, can))

    def offer(self, actions: Collection[Action] | None = None) -> None:
        """Show only these buttons, or all by default."""
        offered = set(self.buttons if actions is None else actions)
        for action, button in self.buttons.items():
            button.setVisible(action in offered)
        self._verdicts.setVisible(bool(VERDICT_ACTIONS.keys() & offered))
        shown = [button for button in self._side_buttons if not button.isHidden()]
        _equal_columns(self._further, _balanced_row_length(shown))
        _fill(self._further, shown, _balanced_row_length(shown))

    def _verdict(self, action: Action) -> KeyButton:
        # No verdict is styled as the default, to avoid bias.
        verdict, kind = VERDICT_ACTIONS[action]
        words = VERDICT_WORDS[verdict] if kind is None else SHORT_KIND_WORDS[kind]
        button = self._button(action, words, mark=VerdictMark(self._appearance, verdict))
        button.setAccessibleName(verdict_words(OwnVerdict(verdict, kind)))
        return button

    def _button(self, action: Action, words: str, *, mark: QWidget | None = None) -> KeyButton:
        button = KeyButton(self._appearance, self._keymap[action], words, mark=mark)
        button.clicked.connect(lambda _checked=False: self.pressed.emit(action))
        self.buttons[action] = button
        return button

    def _grid(self, buttons: Sequence[KeyButton], columns: int) -> QWidget:
        made = QWidget()
        grid = QGridLayout(made)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(_GAP)
        _equal_columns(made, columns)
        _fill(made, buttons, columns)
        return made


def _fill(grid: QWidget, buttons: Sequence[KeyButton], columns: int) -> None:
    layout = cast(QGridLayout, grid.layout())
    cell = 0
    for button in buttons:
        layout.addWidget(button, cell // columns, cell % columns, 1, button.columns)
        cell += button.columns


def _equal_columns(grid: QWidget, columns: int) -> None:
    """Make the columns equally wide, regardless of texts and incomplete rows."""
    layout = cast(QGridLayout, grid.layout())
    for column in range(max(columns, layout.columnCount())):
        layout.setColumnStretch(column, int(column < columns))
        layout.setColumnMinimumWidth(column, int(column < columns))


def _balanced_row_length(buttons: Sequence[KeyButton]) -> int:
    """Return a row length that leaves no button alone in a row."""
    alone = sum(button.columns for button in buttons) % _NAVIGATION_PER_ROW == 1
    return _NAVIGATION_PER_ROW - 1 if alone else _NAVIGATION_PER_ROW
