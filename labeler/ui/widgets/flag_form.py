"""Saying what is wrong with a picture: reasons to tick, a note, and done."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from labeler.core.blind_review import OwnFlag
from labeler.core.study import ProblemReason
from labeler.ui.look import Look
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.note_field import NoteField
from labeler.ui.widgets.tick_box import TickBox

# A reviewer doesn't know the target, so that nobody can call it wrong here.
_REASONS = {
    ProblemReason.DRAWING: "It is a drawing or a cartoon",
    ProblemReason.EDITED: "It is excessively edited",
    ProblemReason.INAPPROPRIATE: "It is inappropriate",
}
_EXPLAINED = "A picture counts as problematic when a second reviewer finds the same."


class FlagForm(QWidget):
    """A small form; Space ticks, Tab moves, Return is done, Esc leaves."""

    edited = Signal(object)
    done = Signal(object)
    left = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.ticks = {reason: TickBox(look, words) for reason, words in _REASONS.items()}
        self.note = NoteField()
        self.save = QPushButton("Done")
        self.save.setDefault(True)
        self.cancel = QPushButton("Leave")
        self._lay_out()
        for tick in self.ticks.values():
            tick.toggled.connect(self._tell_edited)
        self.note.edited.connect(self._tell_edited)
        self.note.left.connect(self.save.setFocus)
        self.save.clicked.connect(lambda: self.done.emit(self.flag))
        self.cancel.clicked.connect(self.left)

    @property
    def flag(self) -> OwnFlag:
        reasons = frozenset(reason for reason, tick in self.ticks.items() if tick.isChecked())
        return OwnFlag(reasons, self.note.toPlainText().strip())

    def open(self, flag: OwnFlag | None) -> None:
        """Show what was said before, and take the keyboard."""
        for reason, tick in self.ticks.items():
            blocked = tick.blockSignals(True)
            tick.setChecked(flag is not None and reason in flag.reasons)
            tick.blockSignals(blocked)
        self.note.show_text("" if flag is None else flag.note)
        next(iter(self.ticks.values())).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.done.emit(self.flag)
        else:
            super().keyPressEvent(event)

    def _tell_edited(self) -> None:
        self.edited.emit(self.flag)

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(8, 8, 8, 8)
        whole.setSpacing(8)
        whole.addWidget(label("What is wrong with this picture?", rank="heading"))
        for tick in self.ticks.values():
            whole.addWidget(tick)
        whole.addWidget(self.note)
        whole.addWidget(label(_EXPLAINED, rank="caption", wrap=True))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch()
        row.addWidget(self.cancel)
        row.addWidget(self.save)
        whole.addLayout(row)
        whole.addStretch()
