"""A person's own keys on top of the keymap, and the rules for which are allowed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from labeler.app.key_actions import ACTIVE_TOGETHER, WITH_CLASSES, Action, Scope
from labeler.app.keymap import Binding, Key, Keymap
from labeler.app.study.preferences import KeyOverrides
from labeler.core.errors import RefusedError

# In these scopes a text field may have the focus; keys that edit its text stay reserved.
_TYPING = WITH_CLASSES | {Scope.CLASSES, Scope.GUIDE, Scope.TRAINING_START}
_MOVES_FOCUS = "Tab"
_EDITS = frozenset({"Left", "Right", "Home", "End", "Backspace", "Del"})
_EDITS_WITH_CONTROL = frozenset({"A", "C", "V", "X", "Y", "Z"})
MOVES_FOCUS = "it moves the focus to the next control."
NEEDED_FOR_TYPING = "it is needed for typing. Add Ctrl or Alt, or use F1–F12."
DEFAULT_KEY_USED = "The default key is used instead."


class KeyRefused(RefusedError):
    """A key that can't be used for an action; `action` is the one whose override is invalid."""

    def __init__(self, sentence: str, *, action: Action) -> None:
        super().__init__(sentence)
        self.action = action


@dataclass(frozen=True, slots=True)
class UsableKeymap:
    """A keymap with all valid overrides, and a message for each invalid one."""

    keymap: Keymap
    faults: tuple[str, ...] = ()


def with_overrides(keymap: Keymap, overrides: KeyOverrides) -> Keymap:
    """Return the keymap with a person's keys; KeyRefused names the conflict."""
    for action, keys in overrides.items():
        _check_usable(keymap[action], keys)
    made = replace(
        keymap,
        bindings=tuple(replace(b, keys=overrides.get(b.action, b.keys)) for b in keymap.bindings),
    )
    for scopes in ACTIVE_TOGETHER:
        _check_clashes(made, scopes, overrides)
    return made


def with_usable_overrides(keymap: Keymap, overrides: KeyOverrides) -> UsableKeymap:
    """Apply all valid overrides; an invalid one is dropped without affecting the others."""
    kept = dict(overrides)
    faults: list[str] = []
    while True:
        try:
            return UsableKeymap(with_overrides(keymap, kept), tuple(faults))
        except KeyRefused as refused:
            del kept[refused.action]
            faults.append(f"{refused} {DEFAULT_KEY_USED}")


def _check_usable(binding: Binding, keys: tuple[Key, ...]) -> None:
    for key in keys:
        if key in binding.keys:
            continue
        if key.name == _MOVES_FOCUS:
            raise _refused(binding, key, MOVES_FOCUS)
        if binding.scope in _TYPING and _edits_text(key):
            raise _refused(binding, key, NEEDED_FOR_TYPING)


def _refused(binding: Binding, key: Key, reason: str) -> KeyRefused:
    sentence = f"{key} can't be used for “{binding.title}”: {reason}"
    return KeyRefused(sentence, action=binding.action)


def _edits_text(key: Key) -> bool:
    if "Ctrl" in key.modifiers and "Alt" not in key.modifiers:
        return key.name in _EDITS_WITH_CONTROL | _EDITS
    return key.types_text or (key.name in _EDITS and not set(key.modifiers) - {"Shift"})


def _check_clashes(keymap: Keymap, scopes: frozenset[Scope], overrides: KeyOverrides) -> None:
    taken: dict[Key, Binding] = {}
    for key, binding in _bound(keymap, scopes):
        other = taken.setdefault(key, binding)
        if other is not binding:
            raise _clash(keymap, key, other, binding, overrides)


def _bound(keymap: Keymap, scopes: frozenset[Scope]) -> Iterator[tuple[Key, Binding]]:
    for binding in keymap.bindings:
        if binding.scope in scopes:
            yield from ((key, binding) for key in binding.keys)


def _clash(
    keymap: Keymap, key: Key, one: Binding, other: Binding, overrides: KeyOverrides
) -> KeyRefused:
    rebound = other if other.action in overrides else one
    return KeyRefused(clash_text(keymap, key, one, other), action=rebound.action)


def clash_text(keymap: Keymap, key: Key, one: Binding, other: Binding) -> str:
    both = " and ".join(f"“{b.title}” ({keymap.scope_titles[b.scope]})" for b in (one, other))
    return f"{key} would be used for both {both}. Choose another key."
