"""A person's own keys over the keymap's: what may be bound to what."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from labeler.app.key_actions import ACTIVE_TOGETHER, WITH_CLASSES, Action, Scope
from labeler.app.keymap import Binding, Key, Keymap
from labeler.app.study.preferences import KeyOverrides
from labeler.core.errors import RefusedError

# In these scopes a text field may have the focus, and what edits its text stays with it.
_TYPING = WITH_CLASSES | {Scope.CLASSES, Scope.GUIDE, Scope.TRAINING_START}
_MOVES_FOCUS = "Tab"
_EDITS = frozenset({"Left", "Right", "Home", "End", "Backspace", "Del"})
_EDITS_WITH_CONTROL = frozenset({"A", "C", "V", "X", "Y", "Z"})


class KeyRefused(RefusedError):
    """A key that can't be given to an action; `action` is the one whose override must go."""

    def __init__(self, sentence: str, *, action: Action) -> None:
        super().__init__(sentence)
        self.action = action


@dataclass(frozen=True, slots=True)
class UsableKeymap:
    """A keymap with all overrides that can hold, and a sentence for each that can't."""

    keymap: Keymap
    faults: tuple[str, ...] = ()


def with_overrides(keymap: Keymap, overrides: KeyOverrides) -> Keymap:
    """The keymap with a person's keys in place of its own; KeyRefused says what clashes."""
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
    """As many of the overrides as can hold together: a wrong one costs itself alone."""
    kept = dict(overrides)
    faults: list[str] = []
    while True:
        try:
            return UsableKeymap(with_overrides(keymap, kept), tuple(faults))
        except KeyRefused as refused:
            del kept[refused.action]
            faults.append(f"{refused} The usual key holds instead.")


def _check_usable(binding: Binding, keys: tuple[Key, ...]) -> None:
    for key in keys:
        if key in binding.keys:
            continue
        if key.name == _MOVES_FOCUS:
            raise _refused(binding, key, "it moves from one control to the next.")
        if binding.scope in _TYPING and _edits_text(key):
            raise _refused(
                binding, key, "it is needed for typing. Add Ctrl or Alt, or take F1–F12."
            )


def _refused(binding: Binding, key: Key, reason: str) -> KeyRefused:
    return KeyRefused(f"{key} can't stand for “{binding.title}”: {reason}", action=binding.action)


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
    both = " and ".join(f"“{b.title}” ({keymap.scope_titles[b.scope]})" for b in (one, other))
    rebound = other if other.action in overrides else one
    return KeyRefused(f"{key} would stand for both {both}: take another.", action=rebound.action)
