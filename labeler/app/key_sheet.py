"""The list of keys: first those of the current screen, then all others."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from labeler.app.keymap import Action, Binding, Key, Keymap, Scope

# What is needed most while answering comes first.
_ORDER = (
    Scope.EVALUATE,
    Scope.FINISH,
    Scope.MY_ANSWERS,
    Scope.TRAIN,
    Scope.REVIEW,
    Scope.REVIEW_LABELS,
    Scope.REVIEW_GRID,
    Scope.SETTLING,
    Scope.CONTAINS,
    Scope.CLASSIFY,
    Scope.DUPLICATES,
    Scope.CLASS_REVIEW,
    Scope.CLASSES,
    Scope.LOOKING,
    Scope.VIEW,
    Scope.REFERENCES,
    Scope.TILES,
    Scope.COMPARISON,
    Scope.TAXONOMY,
    Scope.NEIGHBOURHOOD,
    Scope.CLASS_MAP,
    Scope.GUIDE,
    Scope.GUIDE_PAGES,
    Scope.GUIDE_EDITOR,
    Scope.GUIDE_VERSIONS,
    Scope.GUIDE_MERGE,
    Scope.IMAGE,
    Scope.RECENT,
    Scope.HOME,
    Scope.LOOKING_BACK,
    Scope.PROGRESS,
    Scope.PLOT,
    Scope.FIGURES,
    Scope.DISCUSSION,
    Scope.TRAINING_START,
    Scope.OPEN_TRAINING,
    Scope.TRAINING_SUMMARY,
    Scope.SET_UP,
    Scope.REVIEWERS,
    Scope.MODELS,
    Scope.ADD_MODELS,
    Scope.RESULTS,
    Scope.RESULTS_FIGURE,
    Scope.RESULTS_IMAGES,
    Scope.WINDOW,
)
assert set(_ORDER) == set(Scope), "every scope has its place"

# Tools that a screen with classes creates when they are first used.
_WITH_CLASSES_TITLE = (
    Scope.CLASSES,
    Scope.TAXONOMY,
    Scope.REFERENCES,
    Scope.COMPARISON,
    Scope.NEIGHBOURHOOD,
    Scope.CLASS_MAP,
    Scope.GUIDE,
)


@dataclass(frozen=True, slots=True)
class KeyLine:
    """An action's title with its keys; `found_by` is the text that a search looks in."""

    title: str
    keys: tuple[Key, ...]
    found_by: str


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """The keys of one place."""

    title: str
    lines: tuple[KeyLine, ...]


@dataclass(frozen=True, slots=True)
class KeySheetView:
    """What works here, and what works on other screens."""

    here: tuple[KeyGroup, ...]
    elsewhere: tuple[KeyGroup, ...]


def key_sheet(
    keymap: Keymap, *, bound: AbstractSet[Action], closed: AbstractSet[Action] = frozenset()
) -> KeySheetView:
    """List `bound`, the actions of the screen, first, and omit those that are `closed`."""
    here = bound | _keys_with_classes(keymap, bound)
    elsewhere = set(Action) - here - closed
    return KeySheetView(here=_groups(keymap, here), elsewhere=_groups(keymap, elsewhere))


def _keys_with_classes(keymap: Keymap, bound: AbstractSet[Action]) -> set[Action]:
    """Return the actions of all class tools, including those not created yet."""
    if not {binding.action for binding in keymap.of(Scope.LOOKING)} <= bound:
        return set()
    return {binding.action for scope in _WITH_CLASSES_TITLE for binding in keymap.of(scope)}


def _groups(keymap: Keymap, actions: AbstractSet[Action]) -> tuple[KeyGroup, ...]:
    groups = (_group(keymap, scope, actions) for scope in _ORDER)
    return tuple(group for group in groups if group.lines)


def _group(keymap: Keymap, scope: Scope, actions: AbstractSet[Action]) -> KeyGroup:
    title = keymap.scope_titles[scope]
    bindings = (binding for binding in keymap.of(scope) if binding.action in actions)
    return KeyGroup(title, tuple(_line(binding, place=title) for binding in bindings))


def _line(binding: Binding, *, place: str) -> KeyLine:
    names = " ".join(f"{key} {' '.join(key.caps)}" for key in binding.keys)
    found_by = f"{binding.title} {place} {names}".casefold()
    return KeyLine(binding.title, _drawn_keys(binding.keys), found_by)


def _drawn_keys(keys: tuple[Key, ...]) -> tuple[Key, ...]:
    """Merge the two Enter keys of a keyboard into one if both do the same."""
    return tuple(
        key for key in keys if key.name != "Enter" or Key(key.modifiers, "Return") not in keys
    )
