"""The cheat-sheet: what works here first, nothing twice, and nothing that is closed."""

import pytest

from labeler.app.key_sheet import KeyGroup, key_sheet
from labeler.app.keymap import Action, Keymap, Scope, load_keymap


@pytest.fixture
def keymap() -> Keymap:
    return load_keymap()


def of(keymap: Keymap, *scopes: Scope) -> set[Action]:
    return {binding.action for scope in scopes for binding in keymap.of(scope)}


def listed(groups: tuple[KeyGroup, ...]) -> list[str]:
    return [f"{group.title}: {line.title}" for group in groups for line in group.lines]


def test_every_action_is_listed_once_here_or_elsewhere(keymap: Keymap) -> None:
    view = key_sheet(keymap, bound=of(keymap, Scope.WINDOW, Scope.EVALUATE))
    everything = listed(view.here) + listed(view.elsewhere)
    titles = {f"{keymap.scope_titles[b.scope]}: {b.title}" for b in keymap.bindings}
    assert (set(everything), len(everything)) == (titles, len(Action))


def test_a_screen_with_classes_has_the_keys_of_what_it_makes_later(keymap: Keymap) -> None:
    view = key_sheet(keymap, bound=of(keymap, Scope.LOOKING))
    here = [group.title for group in view.here]
    assert keymap.scope_titles[Scope.COMPARISON] in here
    assert keymap.scope_titles[Scope.REVIEW] not in here


def test_a_screen_with_one_way_to_the_guide_has_that_key_alone(keymap: Keymap) -> None:
    view = key_sheet(keymap, bound={Action.SHOW_GUIDE})
    assert listed(view.here) == [
        f"{keymap.scope_titles[Scope.LOOKING]}: {keymap[Action.SHOW_GUIDE].title}"
    ]


def test_what_is_closed_to_the_person_is_not_listed(keymap: Keymap) -> None:
    closed = {Action.CONFIDENCE_1, Action.CONFIDENCE_2}
    view = key_sheet(keymap, bound=of(keymap, Scope.EVALUATE) - closed, closed=closed)
    assert not any("guessing" in line for line in listed(view.here + view.elsewhere))


def test_the_two_enter_keys_are_drawn_as_one_and_found_by_either_name(keymap: Keymap) -> None:
    view = key_sheet(keymap, bound=of(keymap, Scope.TRAINING_START))
    begin = view.here[0].lines[0]
    assert [str(key) for key in begin.keys] == ["Ctrl+Return"]
    assert "ctrl+enter" in begin.found_by
    assert "ctrl+return" in begin.found_by


def test_wherever_one_enter_key_works_the_other_does(keymap: Keymap) -> None:
    for binding in keymap.bindings:
        names = {(key.modifiers, key.name) for key in binding.keys}
        for modifiers, name in names:
            if name == "Return":
                assert (modifiers, "Enter") in names, binding.action
