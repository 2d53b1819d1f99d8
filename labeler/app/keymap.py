"""The keymap: which keys do what and where, read from a file and checked before a window opens."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from labeler.app.key_actions import ACTIVE_TOGETHER, Action, Scope
from labeler.core.errors import InputError, RefusedError
from labeler.locations import RESOURCES

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
NOT_TOML = "Not valid TOML: {error}."
TWO_SCOPES = "“{action}” is in two scopes; it can only be in one."
SHARED_KEY = "The key {key} is used for both “{one}” and “{other}”; give one of them another key."

_FUNCTION_KEY = re.compile(r"F([1-9]|1[0-9]|2[0-4])")
_KEY_CAPS = {"-": "−"}


class UnreadableKey(ValueError):
    """A text that isn't a key; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key with its modifiers, in the order of `MODIFIERS`."""

    modifiers: tuple[str, ...]
    name: str

    def __str__(self) -> str:
        return "+".join((*self.modifiers, self.name))

    @property
    def caps(self) -> tuple[str, ...]:
        """Return the labels of the key caps, one per cap."""
        engraved = NAMED_KEYS.get(self.name) or _KEY_CAPS.get(self.name, self.name)
        return (*self.modifiers, engraved)

    @property
    def types_text(self) -> bool:
        """Whether a text field would treat the key as typed text."""
        writes = len(self.name) == 1 or self.name == "Space"
        return writes and not set(self.modifiers) - {"Shift"}


def parse_key(text: str) -> Key:
    """Return the key for a text such as `Ctrl+Shift+F`."""
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


# Code that uses a keymap uses actions and scopes too.
__all__ = [
    "DEFAULT_KEYMAP_FILE",
    "Action",
    "Binding",
    "Keymap",
    "Scope",
    "load_keymap",
    "parse_keymap",
]

DEFAULT_KEYMAP_FILE = RESOURCES / "keymap.toml"


@dataclass(frozen=True, slots=True)
class Binding:
    """An action with its title and its keys, the first of which is the one to show."""

    action: Action
    scope: Scope
    title: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Keymap:
    """All bindings, in the order of the list of keys."""

    scope_titles: Mapping[Scope, str]
    bindings: tuple[Binding, ...]

    def __getitem__(self, action: Action) -> Binding:
        return next(binding for binding in self.bindings if binding.action is action)

    def of(self, scope: Scope) -> tuple[Binding, ...]:
        return tuple(binding for binding in self.bindings if binding.scope is scope)


def load_keymap(file: Path = DEFAULT_KEYMAP_FILE) -> Keymap:
    """Read and check a keymap; a fault in it is an error that says what to fix."""
    try:
        return parse_keymap(file.read_text(encoding="utf-8"), file=file)
    except OSError as error:
        raise RefusedError(f"The keymap '{file}' can't be read: {error.strerror}.") from error


def parse_keymap(text: str, *, file: Path | str) -> Keymap:
    """The keymap in a TOML text; `file` is only named in errors."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(NOT_TOML.format(error=error), file=file) from error
    try:
        keymap = _keymap(document)
        _check_complete(keymap)
        _check_clashes(keymap)
    except _Fault as fault:
        raise InputError(str(fault), file=file) from fault
    return keymap


class _Fault(Exception):
    """A fault in a keymap, without the name of its file."""


def _keymap(document: Mapping[str, Any]) -> Keymap:
    scopes = {_scope(name): entry for name, entry in document.items()}
    titles = {scope: _text(entry, "title", where=scope) for scope, entry in scopes.items()}
    bindings = [b for scope, entry in scopes.items() for b in _bindings(scope, entry)]
    return Keymap(scope_titles=MappingProxyType(titles), bindings=tuple(bindings))


def _scope(name: str) -> Scope:
    try:
        return Scope(name)
    except ValueError:
        raise _Fault(f"There is no scope “{name}”; the scopes are {', '.join(Scope)}.") from None


def _bindings(scope: Scope, entry: Mapping[str, Any]) -> Iterator[Binding]:
    actions = entry.get("actions")
    if not isinstance(actions, dict):
        raise _Fault(f"The scope “{scope}” needs a table “{scope}.actions”.")
    for name, binding in actions.items():
        try:
            action = Action(name)
        except ValueError:
            raise _Fault(f"“{scope}.{name}” is no action of this program.") from None
        yield Binding(
            action=action,
            scope=scope,
            title=_text(binding, "title", where=name),
            keys=_keys(binding, where=name),
        )


def _text(entry: object, field: str, *, where: str) -> str:
    value = entry.get(field) if isinstance(entry, dict) else None
    if not isinstance(value, str) or not value.strip():
        raise _Fault(f"“{where}” needs a {field}.")
    return value


def _keys(entry: Mapping[str, Any], *, where: str) -> tuple[Key, ...]:
    written = entry.get("keys")
    if not isinstance(written, list) or not written:
        raise _Fault(f"“{where}” needs a list of keys with at least one in it.")
    try:
        return tuple(parse_key(str(text)) for text in written)
    except UnreadableKey as error:
        raise _Fault(f"“{where}” has a key that can't be read: {error}") from error


def _check_complete(keymap: Keymap) -> None:
    bound = [binding.action for binding in keymap.bindings]
    missing = [action for action in Action if action not in bound]
    if missing:
        raise _Fault(f"“{missing[0]}” has no keys.")
    twice = next((action for action in bound if bound.count(action) > 1), None)
    if twice is not None:
        raise _Fault(TWO_SCOPES.format(action=twice))


def _check_clashes(keymap: Keymap) -> None:
    for scopes in ACTIVE_TOGETHER:
        taken: dict[Key, Action] = {}
        for binding in keymap.bindings:
            for key in binding.keys if binding.scope in scopes else ():
                if key in taken:
                    raise _Fault(SHARED_KEY.format(key=key, one=taken[key], other=binding.action))
                taken[key] = binding.action
