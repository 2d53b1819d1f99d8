"""Dialogs that ask one question, with a button for each answer."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from labeler.app.confirmation import Confirmation
from labeler.app.keymap import Key
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import BoxPart, hbox, stretch
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

CANCEL = "Cancel"
_WIDTH = 512


class QuestionDialog(QDialog):
    """A title, an explanation, and buttons; Esc cancels."""

    def __init__(
        self,
        appearance: Appearance,
        parent: QWidget,
        heading: str,
        *,
        back: str = CANCEL,
        width: int = _WIDTH,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(heading)
        self.cancel = CommandButton(appearance, back, keys=[Key((), "Esc")])
        self.cancel.clicked.connect(self.reject)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(24, 24, 24, 16)
        self._column.setSpacing(8)
        # As wide as this, or as the buttons need; a dialog's own minimum would cut them.
        self._column.addStrut(width)
        self._column.addWidget(label(heading, rank="title"))

    def lay_out(self, *parts: QWidget, buttons: tuple[BoxPart, ...]) -> None:
        """Put the parts below the title, and the buttons in a row below the parts."""
        for part in parts:
            self._column.addWidget(part)
        self._column.addSpacing(16)
        self._column.addLayout(hbox(*buttons))

    def answer(self, answer: SignalInstance) -> None:
        """Close, and emit what was answered."""
        self.accept()
        answer.emit()


class ConfirmDialog(QuestionDialog):
    """Asks for confirmation; the cancel button has the keyboard focus.

    With `instead` there is a third button for an alternative.
    """

    confirmed = Signal()
    chose_instead = Signal()

    def __init__(
        self,
        appearance: Appearance,
        parent: QWidget,
        asked: Confirmation,
        *,
        back: str = CANCEL,
        instead: str = "",
        kind: ButtonKind = ButtonKind.DANGER,
    ) -> None:
        super().__init__(appearance, parent, asked.heading, back=back)
        self.do = CommandButton(appearance, asked.button_text, kind=kind)
        self.do.clicked.connect(lambda: self.answer(self.confirmed))
        self.instead = CommandButton(appearance, instead)
        self.instead.clicked.connect(lambda: self.answer(self.chose_instead))
        self.instead.setVisible(bool(instead))
        self.lay_out(
            label(asked.words, wrap=True),
            buttons=(stretch(1), self.cancel, self.instead, self.do),
        )
        self.cancel.setFocus()


def ask_to_confirm(
    appearance: Appearance,
    parent: QWidget,
    asked: Confirmation,
    *,
    then: Callable[[], None],
    kind: ButtonKind = ButtonKind.DANGER,
) -> None:
    """Ask for confirmation, and call `then` only if it is given."""
    dialog = ConfirmDialog(appearance, parent, asked, kind=kind)
    dialog.confirmed.connect(then)
    dialog.open()
