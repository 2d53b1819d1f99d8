"""Lines that two people changed, side by side, and what to take of them."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout

from labeler.app.guide.merge import ConflictView
from labeler.app.keymap import Action, Keymap
from labeler.core.classes.search.hits import TextSpan
from labeler.guide.three_way_merge import MergeChoice
from labeler.guide.word_differences import diff_words
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_WORDS = {MergeChoice.MINE: "Mine", MergeChoice.THEIRS: "Theirs", MergeChoice.BOTH: "Both"}
CHOICE_ACTIONS = {
    MergeChoice.MINE: Action.TAKE_MINE,
    MergeChoice.THEIRS: Action.TAKE_THEIRS,
    MergeChoice.BOTH: Action.TAKE_BOTH,
}
assert set(_WORDS) == set(CHOICE_ACTIONS) == set(MergeChoice), (
    "every choice has its word and its key"
)
_NOTHING = "(nothing: the lines were taken out)"


class ConflictCard(QFrame):
    """Mine at the left, theirs at the right, three buttons below; one card at a time has keys."""

    chosen = Signal(int, MergeChoice)
    pointed = Signal()

    def __init__(
        self, look: Appearance, keymap: Keymap, conflict: ConflictView, *, author: str, heading: str
    ) -> None:
        super().__init__()
        self._look, self._conflict = look, conflict
        self.setProperty("kind", "compared")
        self.buttons: dict[MergeChoice, CommandButton] = {}
        self._texts = (_text(), _text())
        self._group = QButtonGroup(self)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 12)
        whole.setSpacing(8)
        whole.addWidget(label(heading, rank="number"))
        whole.addLayout(self._columns(author))
        whole.addLayout(self._choices(keymap))
        self.buttons[conflict.choice].setChecked(True)
        self._write()
        look.changed.connect(self._write)

    def set_current(self, current: bool) -> None:
        """Frame the card whose keys are in force, and show them on its buttons."""
        for button in self.buttons.values():
            button.show_keys(current)
        if self.property("current") is not current:
            self.setProperty("current", current)
            self.style().unpolish(self)
            self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.pointed.emit()

    def _choices(self, keymap: Keymap) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label("Take", rank="muted"))
        for choice, words in _WORDS.items():
            row.addWidget(self._button(keymap, choice, words))
        row.addStretch()
        return row

    def _button(self, keymap: Keymap, choice: MergeChoice, words: str) -> CommandButton:
        action = CHOICE_ACTIONS[choice]
        button = CommandButton(
            self._look, words, keys=keymap[action].keys[:1], actions=[action], kind=ButtonKind.ROLE
        )
        button.setCheckable(True)
        button.clicked.connect(self.pointed)
        button.clicked.connect(lambda: self.chosen.emit(self._conflict.place, choice))
        self._group.addButton(button)
        self.buttons[choice] = button
        return button

    def _columns(self, author: str) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for column, (heading, text) in enumerate(zip(("You", author), self._texts, strict=True)):
            grid.addWidget(label(heading, rank="caption"), 0, column)
            grid.addWidget(text, 1, column, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(column, 1)
        return grid

    def _write(self) -> None:
        """Mark what either side has alone, in the colours of the theme."""
        sides = self._conflict.mine.strip(), self._conflict.theirs.strip()
        theme = self._look.theme
        style = f"background-color: {theme.match}; color: {theme.on_match}"
        for shown, text, spans in zip(self._texts, sides, diff_words(*sides), strict=True):
            shown.setText(_highlighted_html(text, spans, style) if text else _NOTHING)


def _text() -> QLabel:
    made = label(wrap=True)
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _highlighted_html(text: str, spans: Sequence[TextSpan], style: str) -> str:
    """The text as HTML, with its lines, and with the stretches marked."""
    written, place = "", 0
    for span in spans:
        alone = escape(text[span.start : span.end])
        written += f'{escape(text[place : span.start])}<span style="{style}">{alone}</span>'
        place = span.end
    return (written + escape(text[place:])).replace("\n", "<br>")
