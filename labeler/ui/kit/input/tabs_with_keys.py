"""Tabs that show the keys by which they are gone to."""

from collections.abc import Mapping

from PySide6.QtWidgets import QHBoxLayout, QTabBar, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.window.look import Appearance


class KeyTabBar(QTabBar):
    """One tab for each action; binding the keys is left to the screen."""

    def __init__(self, look: Appearance, keymap: Keymap, tabs: Mapping[Action, str]) -> None:
        super().__init__()
        self.setDrawBase(False)
        self.setExpanding(False)
        for action, words in tabs.items():
            caps = KeyCaps(look, keymap[action].keys[:1], actions=[action])
            self.setTabButton(
                self.addTab(words), QTabBar.ButtonPosition.RightSide, _padded_caps(caps)
            )


def _padded_caps(caps: KeyCaps) -> QWidget:
    """The caps with room at their right, which a tab doesn't give its button."""
    room = QWidget()
    row = QHBoxLayout(room)
    row.setContentsMargins(0, 0, 8, 0)
    row.addWidget(caps)
    return room
