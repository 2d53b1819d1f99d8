"""A bar at the bottom of a screen that asks for a short text."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit

from labeler.app.keymap import Key
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance


class PromptBar(QFrame):
    """A question, a field and a button; Return confirms, Esc cancels."""

    answered = Signal(str)
    edited = Signal(str)
    left = Signal()

    def __init__(self, appearance: Appearance, *, question: str, hint: str, button: str) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.field = QLineEdit()
        self.field.setAccessibleName(question)
        self.field.setPlaceholderText(hint)
        self.button = CommandButton(
            appearance, button, keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.cancel = CommandButton(appearance, "Cancel", keys=[Key((), "Esc")])
        self.message = label(rank="muted")
        hbox(
            label(question),
            grow(self.field),
            self.message,
            self.cancel,
            self.button,
            on=self,
            margins=(16, 8, 8, 8),
        )
        self.field.returnPressed.connect(self._answer)
        self.field.textEdited.connect(self.edited)
        self.button.clicked.connect(self._answer)
        self.cancel.clicked.connect(self._take_back)
        self.hide()

    def ask(self, text: str = "") -> None:
        """Show the question and focus its field."""
        self.message.setText("")
        self.field.setText(text)
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._take_back()
        else:
            super().keyPressEvent(event)

    def _take_back(self) -> None:
        self.hide()
        self.left.emit()

    def _answer(self) -> None:
        self.answered.emit(self.field.text())
