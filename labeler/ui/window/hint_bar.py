"""The bar at the window's foot: the keys that help most, the theme, the program itself."""

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.study.app_settings import ThemeChoice
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import action_tooltip
from labeler.ui.window.fitting_row import CollapsingRow
from labeler.ui.window.icons import icon
from labeler.ui.window.look import Appearance
from labeler.ui.window.place_hint import FocusHint
from labeler.ui.window.theme_switch import ThemeSwitch


class HintSet(Enum):
    """Which hints help on a screen."""

    NONE = "none"
    CLASSES = "classes"
    ANSWERING = "answering"
    TOLD = "told"


# The actions of a hint share one short text; the first key of each is drawn.
_FEEDBACK_HINTS = (((Action.CHOOSE_CLASS,), "next image"),)
_CLASS_HINTS = (
    ((Action.PREVIOUS_CLASS, Action.NEXT_CLASS), "classes"),
    ((Action.SHORTLIST,), "shortlist"),
    ((Action.SHOW_GUIDE,), "guide"),
    ((Action.GO_HOME,), "home"),
    # A taxonomy that was closed is found again here.
    ((Action.TO_TAXONOMY,), "taxonomy"),
    # Last, as it has a button of its own beside the references.
    ((Action.COMPARE,), "compare"),
)


_KEY_SPACING, _HINT_SPACING = 8, 8

_Hints = tuple[tuple[tuple[Action, ...], str], ...]


class HintBar(QWidget):
    """Shows hints, and passes on what is pressed."""

    wanted = Signal(Action)
    keys_wanted = Signal()
    about_wanted = Signal()
    theme_chosen = Signal(ThemeChoice)

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._look = look
        self._keys = _button("All keys", action_tooltip(keymap[Action.SHOW_KEYS]))
        self._settings = _button("", action_tooltip(keymap[Action.SHOW_SETTINGS]))
        self._about = _button(" About", action_tooltip(keymap[Action.SHOW_ABOUT]))
        self._keys.clicked.connect(self.keys_wanted)
        self._settings.clicked.connect(lambda: self.wanted.emit(Action.SHOW_SETTINGS))
        self._about.clicked.connect(self.about_wanted)
        self.at_place = FocusHint(look, keymap)
        self.at_place.wanted.connect(self.wanted)
        (self._told,) = self._make_hints(keymap, _FEEDBACK_HINTS)
        with_classes = self._make_hints(keymap, _CLASS_HINTS)
        # Where type is large and the window narrow, the last hints give way.
        parts = (self.at_place, self._told, *with_classes)
        self._hints = CollapsingRow(parts, spacing=_HINT_SPACING)
        self._lay_out(keymap)
        look.changed.connect(self._recolour)
        self._recolour()

    def show_hints(self, hints: HintSet) -> None:
        """Show the hints whose keys work on the screen."""
        self._hints.setVisible(hints is not HintSet.NONE)
        self._hints.want(self.at_place, hints is HintSet.ANSWERING)
        self._hints.want(self._told, hints is HintSet.TOLD)

    def _make_hints(self, keymap: Keymap, hints: _Hints) -> list[QWidget]:
        return [self._hint(keymap, actions, text) for actions, text in hints]

    def _hint(self, keymap: Keymap, actions: Sequence[Action], text: str) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        keys = [keymap[action].keys[0] for action in actions]
        row.addWidget(KeyCaps(self._look, keys, actions=actions))
        row.addWidget(self._way(actions, text, keymap))
        return made

    def _way(self, actions: Sequence[Action], text: str, keymap: Keymap) -> QWidget:
        """What the keys do; where it is one thing, the mouse does it too."""
        if len(actions) > 1:
            told = label(text, rank="caption")
            told.setContentsMargins(_KEY_SPACING, 0, _KEY_SPACING, 0)
            return told
        (action,) = actions
        way = _button(text, keymap[action].title)
        way.setObjectName("hint")
        way.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        way.setCursor(Qt.CursorShape.PointingHandCursor)
        # Who types a name goes on typing.
        way.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        way.clicked.connect(lambda: self.wanted.emit(action))
        return way

    def _lay_out(self, keymap: Keymap) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 16, 4)
        row.setSpacing(8)
        row.addWidget(self._hints, stretch=1000)
        row.addStretch(1)
        row.addWidget(
            KeyCaps(self._look, keymap[Action.SHOW_KEYS].keys[:1], actions=(Action.SHOW_KEYS,))
        )
        row.addWidget(self._keys)
        switch = ThemeSwitch(self._look)
        switch.chosen.connect(self.theme_chosen)
        row.addWidget(switch)
        row.addWidget(self._settings)
        row.addWidget(self._about)

    def _recolour(self) -> None:
        theme = self._look.theme
        for name, button in (("settings", self._settings), ("about", self._about)):
            button.setIcon(icon(name, colour=theme.text, behind=theme.window))


def _button(text: str, explanation: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(explanation)
    button.setAccessibleName(explanation)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button
