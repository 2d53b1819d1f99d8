"""A thin progress bar, and a card that shows how far work is and can cancel it."""

from PySide6.QtWidgets import QFrame, QProgressBar

from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_HEIGHT = 6


class ProgressBar(QProgressBar):
    """A thin bar; an unknown total shows an empty bar. The text next to it has the numbers."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setTextVisible(False)
        self.setFixedHeight(_HEIGHT)
        self.show_part(0, 0)

    @property
    def part(self) -> float:
        return self.value() / self.maximum()

    def show_part(self, done: int, total: int) -> None:
        # QProgressBar repaints synchronously, together with all pending updates of the window.
        self.setUpdatesEnabled(False)
        self.setRange(0, max(total, 1))
        self.setValue(min(done, total))
        self.setUpdatesEnabled(True)
        self.setAccessibleName(f"{self._name}: {done:,} of {total:,}" if total else self._name)


class WorkProgressCard(QFrame):
    """A card with the progress, the remaining time, and a button to cancel."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        """`name` is read by screen readers. The card is hidden until there is work."""
        super().__init__()
        self.setProperty("kind", "card")
        self.sentence = label()
        self.line = ProgressBar(name)
        self.cancel = CommandButton(appearance, "Cancel")
        words = vbox(self.sentence, self.line)
        hbox(grow(words), self.cancel, on=self, spacing=16, margins=(16, 12, 16, 12))
        self.hide()

    def show_state(self, done: int, total: int, sentence: str) -> None:
        """Show the progress; a total of 0 means that it isn't known."""
        counted = f" · {done:,} of {total:,}" if total else ""
        self.sentence.setText(f"{sentence}{counted}")
        self.line.show_part(done, total)
        self.show()
