"""Lines that two people changed, side by side, and what to take of them."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QHBoxLayout, QVBoxLayout

from labeler.app.presenters.guide_merge import ConflictView
from labeler.guide.merge import Choice
from labeler.ui.look import Look
from labeler.ui.widgets.entry_button import EntryButton, Kind
from labeler.ui.widgets.labels import label

_WORDS = {Choice.MINE: "Mine", Choice.THEIRS: "Theirs", Choice.BOTH: "Both"}
assert set(_WORDS) == set(Choice), "every choice has its word"
_NOTHING = "(nothing: the lines were taken out)"


class ConflictCard(QFrame):
    """Mine at the left, theirs at the right, three buttons below."""

    chosen = Signal(int, Choice)

    def __init__(self, look: Look, conflict: ConflictView, *, author: str, heading: str) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.buttons: dict[Choice, EntryButton] = {}
        self._group = QButtonGroup(self)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 12)
        whole.setSpacing(8)
        whole.addWidget(label(heading, rank="number"))
        whole.addLayout(_columns(conflict, author))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label("Take", rank="muted"))
        for choice, words in _WORDS.items():
            button = EntryButton(look, words, kind=Kind.ROLE)
            button.setCheckable(True)
            button.clicked.connect(
                lambda _checked=False, c=choice: self.chosen.emit(conflict.place, c)
            )
            self._group.addButton(button)
            self.buttons[choice] = button
            row.addWidget(button)
        row.addStretch()
        whole.addLayout(row)
        self.buttons[conflict.choice].setChecked(True)


def _columns(conflict: ConflictView, author: str) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    for column, (heading, text) in enumerate((("You", conflict.mine), (author, conflict.theirs))):
        words = label(text.strip() or _NOTHING, wrap=True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(label(heading, rank="caption"), 0, column)
        grid.addWidget(words, 1, column, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(column, 1)
    return grid
