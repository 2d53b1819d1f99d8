"""A heading above a compared class: whose answer it is, in a word, a shape and a colour."""

from enum import Enum

from PySide6.QtWidgets import QWidget

from labeler.ui.kit.layout.boxes import hbox, stretch
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.theme import Appearance

_ICON = 20


class ColumnVerdict(Enum):
    """What a class is in the feedback on an answer; the value is its words, icon and colour."""

    WRONG_ANSWER = ("Your answer", "wrong", "wrong")
    RIGHT_ANSWER = ("Your answer", "right", "correct")
    CORRECT = ("Correct", "right", "correct")


class ColumnHeading(QWidget):
    """Shows a verdict; hidden without one."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.verdict: ColumnVerdict | None = None
        self._icon = IconLabel(appearance, "right", colour="correct", size=_ICON)
        self._words = label(rank="number")
        hbox(self._icon, self._words, stretch(1), on=self)
        appearance.changed.connect(self._recolour)
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text() if self.verdict is not None else ""

    def show_verdict(self, verdict: ColumnVerdict | None) -> None:
        self.verdict = verdict
        if verdict is not None:
            words, icon, colour = verdict.value
            self._words.setText(words)
            self._icon.set_icon(icon, colour=colour)
            self._recolour()
        self.setVisible(verdict is not None)

    def _recolour(self) -> None:
        if self.verdict is not None:
            colour = self._appearance.theme.colours[self.verdict.value[2]]
            self._words.setStyleSheet(f"color: {colour};")
