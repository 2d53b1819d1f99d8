"""The button that leaves a screen: for home, or for the screen from which it was opened."""

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.window.theme import Appearance


def leaving_button(appearance: Appearance, keymap: Keymap, *, goes_home: bool) -> CommandButton:
    """Return the button; the key for home always goes home, so that only its button shows it."""
    if not goes_home:
        return CommandButton(appearance, "Back")
    keys = keymap[Action.GO_HOME].keys[:1]
    return CommandButton(appearance, "Home", keys=keys, actions=[Action.GO_HOME])
