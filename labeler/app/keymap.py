"""The keymap: which keys do what and where, read from data and checked before a window opens."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from labeler.app.key_actions import ACTIVE_TOGETHER, Action, Scope
from labeler.app.key_names import Key, UnreadableKey, parse_key
from labeler.core.errors import InputError, RefusedError
from labeler.locations import RESOURCES

# Whoever has to do with a keymap has to do with actions and scopes.
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
    """All bindings, in the order in which a cheat-sheet lists them."""

    scope_titles: Mapping[Scope, str]
    bindings: tuple[Binding, ...]

    def __getitem__(self, action: Action) -> Binding:
        return next(binding for binding in self.bindings if binding.action is action)

    def of(self, scope: Scope) -> tuple[Binding, ...]:
        return tuple(binding for binding in self.bindings if binding.scope is scope)


def load_keymap(file: Path = DEFAULT_KEYMAP_FILE) -> Keymap:
    """Read and check a keymap; a fault in it is an error that says what to mend."""
    try:
        return parse_keymap(file.read_text(encoding="utf-8"), file=file)
    except OSError as error:
        raise RefusedError(f"The keymap '{file}' can't be read: {error.strerror}.") from error


def parse_keymap(text: str, *, file: Path | str) -> Keymap:
    """The keymap in a TOML text; `file` is only named in errors."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"This is no TOML: {error}.", file=file) from error
    try:
        keymap = _keymap(document)
        _check_complete(keymap)
        _check_clashes(keymap)
    except _Fault as fault:
        raise InputError(str(fault), file=file) from fault
    return keymap


class _Fault(Exception):
    """What is wrong with a keymap, before the file's name is put in front of it."""


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
        raise _Fault(f"“{twice}” stands in two scopes; it may stand in one.")


def _check_clashes(keymap: Keymap) -> None:
    for scopes in ACTIVE_TOGETHER:
        taken: dict[Key, Action] = {}
        for binding in keymap.bindings:
            for key in binding.keys if binding.scope in scopes else ():
                if key in taken:
                    raise _Fault(
                        f"The key {key} stands for both “{taken[key]}” and “{binding.action}”; "
                        "give one of them another."
                    )
                taken[key] = binding.action
