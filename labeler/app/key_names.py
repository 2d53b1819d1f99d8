"""Keys as text: how one is written in the keymap, and what stands on its cap."""

import re
from dataclasses import dataclass

MODIFIERS = ("Ctrl", "Shift", "Alt", "Meta")
NAMED_KEYS = {
    "Up": "↑",
    "Down": "↓",
    "Left": "←",
    "Right": "→",
    "Home": "Home",
    "End": "End",
    "PgUp": "Page ↑",
    "PgDown": "Page ↓",
    "Return": "⏎",
    "Enter": "Enter",
    "Esc": "Esc",
    "Space": "Space",
    "Tab": "Tab",
    "Backspace": "⌫",
    "Del": "Del",
    "Ins": "Ins",
}
_PARTS = re.compile(r"((?:[^+]+\+)*)([^+]+|\+)")
_FUNCTION_KEY = re.compile(r"F([1-9]|1[0-9]|2[0-4])")
_KEY_CAPS = {"-": "−"}


class UnreadableKey(ValueError):
    """A text that names no key; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key with its modifiers, which stand in the order of `MODIFIERS`."""

    modifiers: tuple[str, ...]
    name: str

    def __str__(self) -> str:
        return "+".join((*self.modifiers, self.name))

    @property
    def caps(self) -> tuple[str, ...]:
        """What stands on the key caps, one text per cap."""
        engraved = NAMED_KEYS.get(self.name) or _KEY_CAPS.get(self.name, self.name)
        return (*self.modifiers, engraved)

    @property
    def types_text(self) -> bool:
        """Whether a text field would take the key for something typed."""
        writes = len(self.name) == 1 or self.name == "Space"
        return writes and not set(self.modifiers) - {"Shift"}


def parse_key(text: str) -> Key:
    """The key that a text such as `Ctrl+Shift+F` names."""
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise UnreadableKey(f"“{text}” names no key: write one such as Ctrl+F.")
    modifiers = parts[1].split("+")[:-1]
    _check_modifiers(text, modifiers)
    return Key(modifiers=_ordered(modifiers), name=_checked_name(text, parts[2]))


def _check_modifiers(text: str, modifiers: list[str]) -> None:
    for modifier in modifiers:
        if modifier not in MODIFIERS:
            known = ", ".join(MODIFIERS)
            raise UnreadableKey(f"“{modifier}” in “{text}” is no modifier; these are: {known}.")
    if len(set(modifiers)) < len(modifiers):
        raise UnreadableKey(f"“{text}” names a modifier twice.")


def _ordered(modifiers: list[str]) -> tuple[str, ...]:
    return tuple(modifier for modifier in MODIFIERS if modifier in modifiers)


def _checked_name(text: str, name: str) -> str:
    if name in NAMED_KEYS or _FUNCTION_KEY.fullmatch(name):
        return name
    if len(name) == 1 and name.isascii() and name.isprintable() and not name.isspace():
        return name.upper()
    known = ", ".join(NAMED_KEYS)
    raise UnreadableKey(f"“{text}” names no key: write a character, F1 to F24, or one of {known}.")
