"""The dialog that confirms a permanent change."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.keymap import Key
from labeler.app.study.setup.confirmations import Confirmation
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance


def ask_to_confirm(
    appearance: Appearance,
    parent: QWidget,
    asked: Confirmation,
    *,
    then: Callable[[], None],
    kind: ButtonKind = ButtonKind.DANGER,
) -> None:
    """Show the confirmation, and call `then` if the person agrees."""

    dialog = ConfirmDialog(
        appearance,
        parent,
        heading=asked.heading,
        words=asked.words,
        button_text=asked.button_text,
        kind=kind,
    )
    dialog.confirmed.connect(then)
    dialog.open()


_WIDTH = 512


class ConfirmDialog(QDialog):
    """Says what will be lost; Cancel has the focus.

    With `instead` there is a third button, for an alternative to both.
    """

    confirmed = Signal()
    chose_instead = Signal()

    def __init__(
        self,
        appearance: Appearance,
        parent: QWidget,
        *,
        heading: str,
        words: str,
        button_text: str,
        back: str = "Cancel",
        instead: str = "",
        kind: ButtonKind = ButtonKind.DANGER,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(heading)
        self.cancel = CommandButton(appearance, back, keys=[Key((), "Esc")])
        self.do = CommandButton(appearance, button_text, kind=kind)
        self.cancel.clicked.connect(self.reject)
        self.do.clicked.connect(self._confirm)
        self.instead = CommandButton(appearance, instead)
        self.instead.clicked.connect(self._choose_instead)
        self.instead.setVisible(bool(instead))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.instead)
        foot.addWidget(self.do)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(8)
        # A strut instead of a minimum width, which would cut off wide buttons.
        layout.addStrut(_WIDTH)
        layout.addWidget(label(heading, rank="title"))
        layout.addWidget(label(words, wrap=True))
        layout.addSpacing(16)
        layout.addLayout(foot)
        self.cancel.setFocus()

    def _confirm(self) -> None:
        self.accept()
        self.confirmed.emit()

    def _choose_instead(self) -> None:
        self.accept()
        self.chose_instead.emit()
