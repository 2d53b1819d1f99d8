"""The layouts of the workbench, and the menu to choose one."""

from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from labeler.app.keymap import Action, Keymap
from labeler.ui.window.actions import action_tooltip
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance


class LayoutPreset(StrEnum):
    """How the image and the classes share the window."""

    BALANCED = "balanced"
    WIDE_REFERENCES = "wide_references"
    IMAGE_ONLY = "image_only"

    @property
    def following(self) -> "LayoutPreset":
        """The next preset when cycling through them."""
        every = list(LayoutPreset)
        return every[(every.index(self) + 1) % len(every)]


def layout_preset(saved: str) -> LayoutPreset:
    """Return the preset of that name, or the default one."""
    return LayoutPreset(saved) if saved in set(LayoutPreset) else LayoutPreset.BALANCED


_TITLES = {
    LayoutPreset.BALANCED: "Balanced",
    LayoutPreset.WIDE_REFERENCES: "Wide references",
    LayoutPreset.IMAGE_ONLY: "Image only, classes while you search",
}
assert set(_TITLES) == set(LayoutPreset), "every layout is in the menu"
LAYOUT_TEXT, HIDE_HINTS_TEXT = "Layout", "Hide key hints"


class LayoutButton(QToolButton):
    """A button with a menu of layouts and the switch for key hints."""

    chosen = Signal(LayoutPreset)
    hints_toggled = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._appearance = appearance
        menu = QMenu(self)
        self.presets = {preset: self._preset(menu, preset) for preset in LayoutPreset}
        menu.addSeparator()
        self.hints = menu.addAction(HIDE_HINTS_TEXT, self.hints_toggled.emit)
        self.hints.setCheckable(True)
        self.setMenu(menu)
        self.setText(LAYOUT_TEXT)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setProperty("kind", "layout")
        # The keyboard focus stays in the search field.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(LAYOUT_TEXT)
        self.follow_keymap(keymap)
        appearance.changed.connect(self._recolour)
        appearance.key_hints_changed.connect(self._show_hints)
        self._recolour()
        self._show_hints()

    def show_preset(self, shown: LayoutPreset) -> None:
        """Check the layout that is in use."""
        for preset, action in self.presets.items():
            action.setChecked(preset is shown)

    def follow_keymap(self, keymap: Keymap) -> None:
        self.setToolTip(action_tooltip(keymap[Action.NEXT_LAYOUT]))

    def _preset(self, menu: QMenu, preset: LayoutPreset) -> QAction:
        action = menu.addAction(_TITLES[preset], lambda: self.chosen.emit(preset))
        action.setCheckable(True)
        return action

    def _show_hints(self) -> None:
        self.hints.setChecked(not self._appearance.key_hints_shown)

    def _recolour(self) -> None:
        theme = self._appearance.theme
        self.setIcon(icon("layout", colour=theme.text, background=theme.window))
