"""Forms to flag a problematic image: reasons, a note, and a second check."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from labeler.app.keymap import Action, Key, Keymap
from labeler.core.review.blind_types import OwnFlag
from labeler.core.study.entities import ProblemReason
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.form_fields import CheckBox, NoteField
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import gap, grow, hbox, stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import bind_action
from labeler.ui.window.theme import Appearance

_QUESTION = "Is anything wrong with this image?"
_SECOND_LOOK_HELP = (
    "The labels don't matter here. Whether someone else found a problem is not shown."
)
_ANSWERS = {Action.NOTHING_WRONG: "Nothing is wrong", Action.FLAG_PROBLEM: "Something is wrong"}


class SecondLookPanel(QWidget):
    """Has the focus during a second check."""

    pressed = Signal(Action)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_QUESTION)
        self.buttons: dict[Action, KeyButton] = {}
        answers = QHBoxLayout()
        answers.setSpacing(8)
        for action, words in _ANSWERS.items():
            # Neither answer is styled as the default.
            self.buttons[action] = button = KeyButton(appearance, keymap[action], words)
            press = lambda _checked=False, a=action: self.pressed.emit(a)  # noqa: E731
            button.clicked.connect(press)
            bind_action(self, keymap[action], press).setAutoRepeat(False)
            answers.addWidget(button, stretch=1)
        vbox(
            label(_QUESTION, rank="heading"),
            label(_SECOND_LOOK_HELP, rank="muted", wrap=True),
            gap(8),
            answers,
            stretch(),
            on=self,
        )

    def allow(self, can: bool) -> None:
        for button in self.buttons.values():
            button.setEnabled(can)


# Reviewers don't know the target, so they can't report it as wrong.
_REASONS = {
    ProblemReason.DRAWING: "It is a drawing or a cartoon",
    ProblemReason.EDITED: "It is excessively edited",
    ProblemReason.INAPPROPRIATE: "It is inappropriate",
}
_FORM_HELP = "Space selects, Tab moves. An image is problematic if two reviewers agree."
NO_REASON = "Select a reason, too. A note alone doesn't flag the image."


class ProblemForm(QWidget):
    """A small form; Space selects, Tab moves, Return confirms, Esc cancels."""

    edited = Signal(object)
    done = Signal(object)
    left = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.ticks = {reason: CheckBox(appearance, words) for reason, words in _REASONS.items()}
        self.note = NoteField()
        self.save = CommandButton(
            appearance, "Done", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.cancel = CommandButton(appearance, "Cancel", keys=[Key((), "Esc")])
        self.explained = label(rank="caption", wrap=True)
        self._lay_out()
        for tick in self.ticks.values():
            tick.toggled.connect(self._emit_edited)
        self.note.edited.connect(self._emit_edited)
        self.note.left.connect(self.save.setFocus)
        self.save.clicked.connect(self._finish)
        self.cancel.clicked.connect(self.left)

    @property
    def flag(self) -> OwnFlag:
        reasons = frozenset(reason for reason, tick in self.ticks.items() if tick.isChecked())
        return OwnFlag(reasons, self.note.toPlainText().strip())

    def open(self, flag: OwnFlag | None) -> None:
        """Show the earlier flag and take the focus."""
        for reason, tick in self.ticks.items():
            blocked = tick.blockSignals(True)
            tick.setChecked(flag is not None and reason in flag.reasons)
            tick.blockSignals(blocked)
        self.note.show_text("" if flag is None else flag.note)
        self._explain(_FORM_HELP, rank="caption")
        next(iter(self.ticks.values())).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._finish()
        else:
            super().keyPressEvent(event)

    def _finish(self) -> None:
        if self.flag.note and not self.flag.reasons:
            self._explain(NO_REASON, rank="notice")
            next(iter(self.ticks.values())).setFocus()
        else:
            self.done.emit(self.flag)

    def _emit_edited(self) -> None:
        self._explain(_FORM_HELP, rank="caption")
        self.edited.emit(self.flag)

    def _explain(self, text: str, *, rank: str) -> None:
        self.explained.setText(text)
        if self.explained.property("rank") != rank:
            self.explained.setProperty("rank", rank)
            self.explained.style().polish(self.explained)

    def _lay_out(self) -> None:
        layout = vbox(
            label("What is wrong with this image?", rank="heading"),
            *self.ticks.values(),
            self.note,
            on=self,
        )
        row = hbox(grow(self.explained), self.cancel, self.save)
        layout.addLayout(row)
        layout.addStretch()
        # Tab goes from the note to the button that saves it, not the one that discards it.
        QWidget.setTabOrder(self.note, self.save)
        QWidget.setTabOrder(self.save, self.cancel)
