"""Asks whether to go on with the training that waits, or to end it for another."""

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.training.start import ReplaceTrainingView
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

_WIDTH = 552


class OpenTrainingDialog(QDialog):
    """Two ways on, and Esc to think again; what loses nothing has the keyboard."""

    go_on_wanted = Signal()
    replace_wanted = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, view: ReplaceTrainingView, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(view.heading)
        self._appearance, self._keymap = appearance, keymap
        self.go_on = self._button("Go on with it", Action.GO_ON_TRAINING, ButtonKind.PRIMARY)
        self.replace = self._button("End it and begin the new one", Action.REPLACE_TRAINING)
        self.cancel = CommandButton(appearance, "Cancel", keys=[Key((), "Esc")])
        self._lay_out(view)
        self._connect()
        self.go_on.setFocus()

    def _connect(self) -> None:
        self.go_on.clicked.connect(lambda: self._answer(self.go_on_wanted))
        self.replace.clicked.connect(lambda: self._answer(self.replace_wanted))
        self.cancel.clicked.connect(self.reject)
        keys = {
            Action.GO_ON_TRAINING: self._enter,
            Action.REPLACE_TRAINING: self.replace.click,
        }
        for action in bind_scope(self, self._keymap, Scope.OPEN_TRAINING, keys).values():
            # The key that asked for the training may still be held down.
            action.setAutoRepeat(False)

    def _enter(self) -> None:
        """Press the button that has the focus, as Return does everywhere."""
        buttons = (self.replace, self.cancel)
        next((each for each in buttons if each.hasFocus()), self.go_on).click()

    def _answer(self, wanted: SignalInstance) -> None:
        self.accept()
        wanted.emit()

    def _button(
        self, text: str, action: Action, kind: ButtonKind = ButtonKind.PLAIN
    ) -> CommandButton:
        keys = self._keymap[action].keys[:1]
        return CommandButton(self._appearance, text, keys=keys, actions=[action], kind=kind)

    def _lay_out(self, view: ReplaceTrainingView) -> None:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.cancel)
        foot.addStretch()
        foot.addWidget(self.replace)
        foot.addWidget(self.go_on)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(8)
        # As wide as this, or as the buttons need; a dialog's own minimum would cut them.
        layout.addStrut(_WIDTH)
        layout.addWidget(label(view.heading, rank="title"))
        layout.addWidget(label(view.waits, wrap=True))
        layout.addWidget(label(view.ending, rank="muted", wrap=True))
        layout.addSpacing(16)
        layout.addLayout(foot)
