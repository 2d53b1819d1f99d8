"""Suggested trainings with their reasons; one key starts each."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.training.start_view import SuggestedTraining
from labeler.core.training.request import TrainingRequest
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import Handlers
from labeler.ui.window.theme import Appearance

_ACTIONS = (Action.TRAIN_FIRST, Action.TRAIN_SECOND, Action.TRAIN_THIRD)


class SuggestionRow(QWidget):
    """Up to three suggestions as buttons, or as plain text for people who can't start them."""

    wanted = Signal(TrainingRequest)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._appearance, self._keymap = appearance, keymap
        self.buttons: list[CommandButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(16)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._heading = label("Train next", rank="heading")
        self._row.addWidget(self._heading)

    @property
    def can_begin(self) -> bool:
        return any(button.isEnabled() for button in self.buttons)

    def handlers(self) -> Handlers:
        """The handlers of the keys that start a training."""
        return {action: partial(self._press, place) for place, action in enumerate(_ACTIONS)}

    def follow_keymap(self, keymap: Keymap) -> None:
        self._keymap = keymap

    def render_suggestions(
        self, suggestions: tuple[SuggestedTraining, ...], *, can_begin: bool
    ) -> None:
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        shown = list(zip(suggestions, _ACTIONS, strict=False))
        self.buttons = [self._button(view, action, can_begin) for view, action in shown]
        for button in self.buttons:
            self._row.addWidget(button, stretch=1)
        self.setVisible(bool(self.buttons))
        self._show_what_fits()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_what_fits()

    def _show_what_fits(self) -> None:
        """Hide the last suggestions if they don't fit."""
        taken = self._heading.sizeHint().width()
        for place, button in enumerate(self.buttons):
            taken += self._row.spacing() + button.sizeHint().width()
            button.setVisible(place == 0 or taken <= self.width())

    def _button(self, view: SuggestedTraining, action: Action, can_begin: bool) -> CommandButton:
        button = CommandButton(
            self._appearance,
            view.title,
            caption=view.reason,
            keys=self._keymap[action].keys[:1] if can_begin else (),
            actions=[action],
            kind=ButtonKind.CHOICE,
        )
        button.setEnabled(can_begin)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.clicked.connect(partial(self.wanted.emit, view.request))
        return button

    def _press(self, place: int) -> None:
        if place < len(self.buttons) and not self.buttons[place].isHidden():
            self.buttons[place].click()
