"""A strip that stands there while long work is done."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance


class WorkProgressCard(QFrame):
    """How far the work is, how long it may still take, and a way to stop it."""

    def __init__(self, look: Appearance, name: str) -> None:
        """With the work's name, for whoever can't see the line; hidden until there is work."""
        super().__init__()
        self.setProperty("kind", "card")
        self.sentence = label()
        self.line = ProgressBar(look, name)
        self.cancel = CommandButton(look, "Cancel")
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addWidget(self.sentence)
        words.addWidget(self.line)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(16)
        row.addLayout(words, stretch=1)
        row.addWidget(self.cancel)
        self.hide()

    def show_state(self, done: int, total: int, sentence: str) -> None:
        """Tell how far it is; a total of nothing means that nobody knows."""
        counted = f" · {done:,} of {total:,}" if total else ""
        self.sentence.setText(f"{sentence}{counted}")
        self.line.show_part(done, total)
        self.show()
