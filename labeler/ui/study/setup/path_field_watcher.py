"""A path that someone types: looked at after a pause, and told wrong only when it is finished."""

from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

_TYPING_PAUSE_MS = 400


class PathCheckTrigger(Enum):
    """When a path is looked at."""

    PAUSE = auto()
    LEFT = auto()
    ENTER = auto()


class PathFieldWatcher(QObject):
    """Says when the path in a field is to be looked at, and leaves the focus to anyone who types.

    The focus goes on to a button only for someone who asked for the look, by Enter or in a dialog,
    and has stayed where they asked from: what is typed into another field must not press anything.
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
        """Someone asks for a look there; no one does when it comes by itself."""
        self._pause.stop()
        self._asked_from, self._not_there = part, False

    def is_not_there(self) -> None:
        """What a pause had looked for isn't there: it may be half typed."""
        self._not_there = True
        if not self._has_focus(self._field):
            self._left()

    def move_focus_to(self, button: QWidget) -> None:
        """Give the button the focus of anyone who asked, and still waits there."""
        asked_from, self._asked_from = self._asked_from, None
        if asked_from is not None and self._has_focus(asked_from):
            button.setFocus()

    def _has_focus(self, part: QWidget) -> bool:
        """In its window, which may lie behind a dialog that is closing or another program's."""
        return self._field.window().focusWidget() is part

    def _typed(self) -> None:
        self.check_requested_by(None)
        self._pause.start()

    def _entered(self) -> None:
        self.check_requested_by(self._field)
        self.wanted.emit(PathCheckTrigger.ENTER)

    def _left(self) -> None:
        """Enter comes here too, when it was reported already."""
        if self._pause.isActive() or self._not_there:
            self.check_requested_by(None)
            self.wanted.emit(PathCheckTrigger.LEFT)
