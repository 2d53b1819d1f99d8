"""The first hint: what is done with a class or an image where the keyboard is, and by which key."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.window.look import Appearance

_WORDS = {
    Action.CHOOSE_CLASS: "choose, again: submit",
    Action.CHOOSE_IN_TAXONOMY: "choose, or open a branch",
    Action.CHOOSE_COLUMN: "choose",
    Action.WALK: "walk to the class",
    Action.ENLARGE: "enlarge, or put back",
}


class FocusHint(QStackedWidget):
    """Has the room of its longest words, so that the hints beside it stay where they are."""

    wanted = Signal(Action)

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._now: Action | None = None
        self._none = QWidget()
        self.addWidget(self._none)
        self._hints = {action: self._hint(look, keymap, action) for action in _WORDS}
        self._show(Action.CHOOSE_CLASS)

    @property
    def told(self) -> str:
        """What is said now; nothing where the keyboard does something else."""
        return "" if self._now is None else _WORDS[self._now]

    def follow(self, focused: QWidget) -> None:
        """Tell what can be done in the widget that has the keyboard now."""
        self._show(_action_in(focused))

    def _show(self, action: Action | None) -> None:
        self._now = action
        self.setCurrentWidget(self._none if action is None else self._hints[action])

    def _hint(self, look: Appearance, keymap: Keymap, action: Action) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(KeyCaps(look, keymap[action].keys[:1], actions=(action,)))
        row.addWidget(self._way(keymap, action))
        row.addStretch(1)
        self.addWidget(made)
        return made

    def _way(self, keymap: Keymap, action: Action) -> QToolButton:
        way = QToolButton()
        way.setObjectName("hint")
        way.setText(_WORDS[action])
        way.setToolTip(keymap[action].title)
        way.setAccessibleName(keymap[action].title)
        way.setCursor(Qt.CursorShape.PointingHandCursor)
        # Who types a name goes on typing.
        way.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        way.clicked.connect(lambda: self.wanted.emit(action))
        return way


def _action_in(focused: QWidget) -> Action | None:
    """The action that has a key in the widget, or in what it lies in."""
    place: QWidget | None = focused
    while place is not None:
        for action in place.actions():
            if action.data() in set(_WORDS):
                return Action(action.data())
        place = place.parentWidget()
    return None
