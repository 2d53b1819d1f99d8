"""The bar at the bottom of the window: key hints, the theme and the program's menu."""

from collections.abc import Collection, Sequence
from enum import Enum
from itertools import chain

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from labeler.app.keymap import Action, Keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import action_tooltip
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance


class CollapsingRow(QWidget):
    """Shows each part at its full width or not at all."""

    def __init__(self, parts: Sequence[QWidget], *, spacing: int) -> None:
        super().__init__()
        self._parts, self._spacing = tuple(parts), spacing
        self._unwanted: set[QWidget] = set()
        for part in self._parts:
            part.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def want(self, part: QWidget, wanted: bool) -> None:
        """Include a part if it fits, or exclude it."""
        self._unwanted = self._unwanted - {part} if wanted else self._unwanted | {part}
        self._arrange()

    def sizeHint(self) -> QSize:
        sizes = [part.sizeHint() for part in self._wanted]
        wide = sum(size.width() + self._spacing for size in sizes)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._arrange()
        return super().event(event)

    @property
    def _wanted(self) -> list[QWidget]:
        return [part for part in self._parts if part not in self._unwanted]

    def _arrange(self) -> None:
        x = 0
        for part in self._parts:
            wide = part.sizeHint().width()
            fits = part not in self._unwanted and x + wide <= self.width()
            part.setVisible(fits)
            if fits:
                part.setGeometry(x, 0, wide, self.height())
                x += wide + self._spacing
            elif part not in self._unwanted:
                # The parts after it are less important.
                x = self.width()


CHOOSE_HINT = "choose; press again to submit"
_WORDS = {
    Action.CHOOSE_CLASS: CHOOSE_HINT,
    Action.CHOOSE_IN_TAXONOMY: "choose, or open a branch",
    Action.CHOOSE_COLUMN: "choose",
    Action.WALK: "go to the class",
    Action.ENLARGE: "enlarge or shrink",
}


class FocusHint(QStackedWidget):
    """As wide as its longest text, so that the hints next to it don't move."""

    wanted = Signal(Action)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._now: Action | None = None
        self._none = QWidget()
        self.addWidget(self._none)
        self._hints = {action: self._hint(appearance, keymap, action) for action in _WORDS}
        self._show(Action.CHOOSE_CLASS)

    @property
    def text(self) -> str:
        """The current text; empty if the key does something else here."""
        return "" if self._now is None else _WORDS[self._now]

    def follow(self, focused: QWidget) -> None:
        """Show what the keys do in the widget with the keyboard focus."""
        self._show(_action_in(focused, _WORDS))

    def _show(self, action: Action | None) -> None:
        self._now = action
        self.setCurrentWidget(self._none if action is None else self._hints[action])

    def _hint(self, appearance: Appearance, keymap: Keymap, action: Action) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(KeyCaps(appearance, keymap[action].keys[:1], actions=(action,)))
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
        # The keyboard focus stays in a text field.
        way.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        way.clicked.connect(lambda: self.wanted.emit(action))
        return way


def _action_in(focused: QWidget, among: Collection[Action]) -> Action | None:
    """Return the first of these actions that has a key in the widget or in one of its parents."""
    place: QWidget | None = focused
    while place is not None:
        for action in place.actions():
            if action.data() in among:
                return Action(action.data())
        place = place.parentWidget()
    return None


class ThemeSwitch(QWidget):
    """Three buttons of which one is checked; it follows every change of the theme."""

    chosen = Signal(ThemeChoice)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._group = QButtonGroup(self)
        self._buttons = {choice: self._button(choice) for choice in ThemeChoice}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button in self._buttons.values():
            row.addWidget(button)
        self.setAccessibleName("Theme")
        appearance.changed.connect(self._follow)
        self._follow()

    def _button(self, choice: ThemeChoice) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setAccessibleName(f"{choice.capitalize()} theme")
        button.setToolTip(f"{choice.capitalize()} theme")
        button.clicked.connect(lambda: self.chosen.emit(choice))
        self._group.addButton(button)
        return button

    def _follow(self) -> None:
        theme = self._appearance.theme
        for choice, button in self._buttons.items():
            button.setIcon(icon(choice, colour=theme.text, background=theme.window))
            button.setChecked(choice is self._appearance.choice)


class HintSet(Enum):
    """Which hints a screen shows."""

    NONE = "none"
    CLASSES = "classes"
    ANSWERING = "answering"
    FEEDBACK = "feedback"


# The actions of a hint share one short text; the first key of each is drawn.
_FEEDBACK_HINTS = (((Action.CHOOSE_CLASS,), "next image"),)
_SEARCH_HINTS = (((Action.PREVIOUS_CLASS, Action.NEXT_CLASS), "classes"),)
_REFERENCE_HINTS = (
    ((Action.PREVIOUS_IMAGE, Action.NEXT_IMAGE), "images"),
    ((Action.LEAVE,), "back"),
)
_COMPARISON_HINTS = (
    ((Action.PREVIOUS_COLUMN, Action.NEXT_COLUMN), "column"),
    ((Action.ENLARGE_IN_COLUMN,), "enlarge"),
    ((Action.DROP_COLUMN,), "remove"),
    ((Action.LEAVE_COMPARISON,), "back"),
)
_CLASS_HINTS = (
    ((Action.SHORTLIST,), "shortlist"),
    ((Action.SHOW_GUIDE,), "guide"),
    ((Action.GO_HOME,), "home"),
    # A closed taxonomy can be opened again here.
    ((Action.TO_TAXONOMY,), "taxonomy"),
    # Last, because it also has a button next to the references.
    ((Action.COMPARE,), "compare"),
)
_MAP_HINTS = (
    ((Action.MAP_FARTHER, Action.MAP_NEARER), "zoom"),
    ((Action.MAP_LEFT, Action.MAP_UP, Action.MAP_DOWN, Action.MAP_RIGHT), "move"),
    ((Action.MAP_ENTER,), "go to the match, zoom in, choose"),
    ((Action.MAP_PREVIEW,), "preview"),
    ((Action.NEXT_MATCH,), "next match"),
    ((Action.SHORTLIST,), "shortlist"),
)

# The hints of a place, by an action whose key works only there; the search has the keyboard
# focus in most others.
_PLACES = {
    Action.MAP_ENTER: _MAP_HINTS,
    Action.CHOOSE_COLUMN: _COMPARISON_HINTS,
    Action.ENLARGE: _REFERENCE_HINTS,
    None: _SEARCH_HINTS,
}
_KEY_SPACING, _HINT_SPACING = 8, 8

_Hints = tuple[tuple[tuple[Action, ...], str], ...]


class HintBar(QWidget):
    """Shows hints as buttons, and emits the action of the one that is clicked."""

    wanted = Signal(Action)
    keys_wanted = Signal()
    about_wanted = Signal()
    theme_chosen = Signal(ThemeChoice)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._appearance = appearance
        self._keys = _button("All keys", action_tooltip(keymap[Action.SHOW_KEYS]))
        self._settings = _button("", action_tooltip(keymap[Action.SHOW_SETTINGS]))
        self._about = _button(" About", action_tooltip(keymap[Action.SHOW_ABOUT]))
        self._keys.clicked.connect(self.keys_wanted)
        self._settings.clicked.connect(lambda: self.wanted.emit(Action.SHOW_SETTINGS))
        self._about.clicked.connect(self.about_wanted)
        self.at_place = FocusHint(appearance, keymap)
        self.at_place.wanted.connect(self.wanted)
        (self._feedback_hint,) = self._make_hints(keymap, _FEEDBACK_HINTS)
        self._class_hints = self._make_hints(keymap, _CLASS_HINTS)
        self._place_hints = {
            place: self._make_hints(keymap, hints) for place, hints in _PLACES.items()
        }
        self._wanted_hints = HintSet.NONE
        self._place: Action | None = None
        # With large text in a narrow window, the last hints are left out.
        of_places = chain.from_iterable(self._place_hints.values())
        parts = (self.at_place, self._feedback_hint, *of_places, *self._class_hints)
        self._hints = CollapsingRow(parts, spacing=_HINT_SPACING)
        self._lay_out(keymap)
        self._show_wanted()
        appearance.changed.connect(self._recolour)
        appearance.key_hints_changed.connect(self._show_wanted)
        self._recolour()

    def show_hints(self, hints: HintSet) -> None:
        """Show the hints whose keys work on the screen."""
        self._wanted_hints, self._place = hints, None
        self._show_wanted()

    def follow(self, focused: QWidget) -> None:
        """Show what the keys do in the widget with the keyboard focus."""
        self.at_place.follow(focused)
        place = _action_in(focused, [place for place in _PLACES if place is not None])
        if place is not self._place:
            self._place = place
            self._show_wanted()

    def _show_wanted(self) -> None:
        hints, on_map = self._wanted_hints, self._place is Action.MAP_ENTER
        shown = on_map or hints is not HintSet.NONE
        self._hints.setVisible(shown and self._appearance.key_hints_shown)
        self._hints.want(self.at_place, not on_map and hints is HintSet.ANSWERING)
        self._hints.want(self._feedback_hint, not on_map and hints is HintSet.FEEDBACK)
        for part in self._class_hints:
            self._hints.want(part, not on_map)
        for place, parts in self._place_hints.items():
            for part in parts:
                self._hints.want(part, place is self._place)

    def _make_hints(self, keymap: Keymap, hints: _Hints) -> list[QWidget]:
        return [self._hint(keymap, actions, text) for actions, text in hints]

    def _hint(self, keymap: Keymap, actions: Sequence[Action], text: str) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        keys = [keymap[action].keys[0] for action in actions]
        row.addWidget(KeyCaps(self._appearance, keys, actions=actions))
        row.addWidget(self._way(actions, text, keymap))
        return made

    def _way(self, actions: Sequence[Action], text: str, keymap: Keymap) -> QWidget:
        """Return the text of a hint, as a button if it has a single action."""
        if len(actions) > 1:
            caption = label(text, rank="caption")
            caption.setContentsMargins(_KEY_SPACING, 0, _KEY_SPACING, 0)
            return caption
        (action,) = actions
        way = _button(text, keymap[action].title)
        way.setObjectName("hint")
        way.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        way.setCursor(Qt.CursorShape.PointingHandCursor)
        # The keyboard focus stays in a text field.
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
            KeyCaps(
                self._appearance, keymap[Action.SHOW_KEYS].keys[:1], actions=(Action.SHOW_KEYS,)
            )
        )
        row.addWidget(self._keys)
        switch = ThemeSwitch(self._appearance)
        switch.chosen.connect(self.theme_chosen)
        row.addWidget(switch)
        row.addWidget(self._settings)
        row.addWidget(self._about)

    def _recolour(self) -> None:
        theme = self._appearance.theme
        for name, button in (("settings", self._settings), ("about", self._about)):
            button.setIcon(icon(name, colour=theme.text, background=theme.window))


def _button(text: str, explanation: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(explanation)
    button.setAccessibleName(explanation)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button
