"""Typing searches from anywhere: which key presses are text."""

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QKeyEvent

_COMMAND_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


def forward_typing(event: QKeyEvent, typed: SignalInstance) -> None:
    """Tell what a key types, so that the search goes on with it; the rest is the keymap's."""
    text = typed_text(event)
    if text:
        typed.emit(text)
    else:
        event.ignore()


def typed_text(event: QKeyEvent) -> str:
    """What a key press types, or nothing; a space alone is a key and no text."""
    plain = not event.modifiers() & _COMMAND_MODIFIERS
    text = event.text()
    return text if plain and text.isprintable() and text.strip() else ""
