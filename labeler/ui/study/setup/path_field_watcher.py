"""Watches a path field: checks the path after a pause, and reports errors only when complete."""

from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

_TYPING_PAUSE_MS = 400


class PathCheckTrigger(Enum):
    """What triggers a check of the path."""

    PAUSE = auto()
    LEFT = auto()
    ENTER = auto()


class PathFieldWatcher(QObject):
    """Says when to check the path in a field, without taking the focus from a person who types.

    The focus moves on to a button only if the person requested the check with Enter or in a
    dialog, and hasn't moved the focus since: typing in another field must not press anything.
    """

    wanted = Signal(PathCheckTrigger)

    def __init__(self, field: QLineEdit) -> None:
        super().__init__(field)
        self._field = field
        self._asked_from: QWidget | None = None
        self._not_there = False
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.wanted.emit(PathCheckTrigger.PAUSE))
        field.textEdited.connect(lambda _text: self._typed())
        field.returnPressed.connect(self._entered)
        field.editingFinished.connect(self._left)

    def check_requested_by(self, part: QWidget | None) -> None:
        """Record which widget requested the check; None for an automatic one."""
        self._pause.stop()
        self._asked_from, self._not_there = part, False

    def is_not_there(self) -> None:
        """Note that the path of an automatic check doesn't exist: it may be incomplete."""
        self._not_there = True
        if not self._has_focus(self._field):
            self._left()

    def move_focus_to(self, button: QWidget) -> None:
        """Focus the button if the widget that requested the check still has the focus."""
        asked_from, self._asked_from = self._asked_from, None
        if asked_from is not None and self._has_focus(asked_from):
            button.setFocus()

    def _has_focus(self, part: QWidget) -> bool:
        """Whether it has the focus within its window, which may not be active."""
        return self._field.window().focusWidget() is part

    def _typed(self) -> None:
        self.check_requested_by(None)
        self._pause.start()

    def _entered(self) -> None:
        self.check_requested_by(self._field)
        self.wanted.emit(PathCheckTrigger.ENTER)

    def _left(self) -> None:
        """Check when the field is left; after Enter the check was already requested."""
        if self._pause.isActive() or self._not_there:
            self.check_requested_by(None)
            self.wanted.emit(PathCheckTrigger.LEFT)
