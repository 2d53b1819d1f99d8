"""The buttons of the guide's editor: what can be put into a page, and done with it."""

from collections.abc import Mapping

from PySide6.QtWidgets import QHBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

STOP_LABEL = "Stop writing"
_INSERT_ACTIONS = (Action.INSERT_LINK, Action.INSERT_PICTURE, Action.INSERT_FILE, Action.INSERT_ROW)
WRITING_ACTIONS = (*_INSERT_ACTIONS, Action.FIND_IN_PAGE)
_BUTTONS = {
    Action.SAVE_PAGE: "Publish",
    Action.LEAVE_EDITOR: STOP_LABEL,
    Action.INSERT_LINK: "Link",
    Action.INSERT_PICTURE: "Reference",
    Action.INSERT_FILE: "Picture…",
    Action.INSERT_ROW: "Row",
    Action.FIND_IN_PAGE: "Find",
    Action.DISCARD_DRAFT: "Give the draft up",
    Action.RETIRE_PAGE: "Retire…",
}


def editor_buttons(look: Appearance, keymap: Keymap) -> dict[Action, KeyButton]:
    return {
        action: KeyButton(look, keymap[action], words, main=action is Action.SAVE_PAGE)
        for action, words in _BUTTONS.items()
    }


def tools_row(buttons: Mapping[Action, KeyButton]) -> QWidget:
    """What works on the text at the left, what works on the whole page at the right."""
    tools = QWidget()
    row = QHBoxLayout(tools)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(label("Insert", rank="caption"))
    for action in _INSERT_ACTIONS:
        row.addWidget(buttons[action])
    row.addSpacing(16)
    row.addWidget(buttons[Action.FIND_IN_PAGE])
    row.addStretch(1)
    row.addWidget(buttons[Action.DISCARD_DRAFT])
    row.addWidget(buttons[Action.RETIRE_PAGE])
    return tools
