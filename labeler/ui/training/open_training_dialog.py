"""Asks whether to resume the unfinished training, or to end it and start another."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.training.start import ReplaceTrainingView
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import stretch
from labeler.ui.kit.text.confirm_dialog import QuestionDialog
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

_WIDTH = 552


class OpenTrainingDialog(QuestionDialog):
    """Offers both, and Esc to cancel; the button that loses nothing has the keyboard focus."""

    go_on_wanted = Signal()
    replace_wanted = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, view: ReplaceTrainingView, parent: QWidget
    ) -> None:
        super().__init__(appearance, parent, view.heading, width=_WIDTH)
        self._appearance, self._keymap = appearance, keymap
        self.go_on = self._button("Resume it", Action.GO_ON_TRAINING, ButtonKind.PRIMARY)
        self.replace = self._button("End it and start the new one", Action.REPLACE_TRAINING)
        self.lay_out(
            label(view.waits, wrap=True),
            label(view.ending, rank="muted", wrap=True),
            buttons=(self.cancel, stretch(), self.replace, self.go_on),
        )
        self._connect()
        self.go_on.setFocus()

    def _connect(self) -> None:
        self.go_on.clicked.connect(lambda: self.answer(self.go_on_wanted))
        self.replace.clicked.connect(lambda: self.answer(self.replace_wanted))
        keys = {
            Action.GO_ON_TRAINING: self._enter,
            Action.REPLACE_TRAINING: self.replace.click,
        }
        for action in bind_scope(self, self._keymap, Scope.OPEN_TRAINING, keys).values():
            # The key that requested the training may still be held down.
            action.setAutoRepeat(False)

    def _enter(self) -> None:
        """Press the button that has the focus, as Return does everywhere."""
        buttons = (self.replace, self.cancel)
        next((each for each in buttons if each.hasFocus()), self.go_on).click()

    def _button(
        self, text: str, action: Action, kind: ButtonKind = ButtonKind.PLAIN
    ) -> CommandButton:
        keys = self._keymap[action].keys[:1]
        return CommandButton(self._appearance, text, keys=keys, actions=[action], kind=kind)
