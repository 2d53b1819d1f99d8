"""A person's own keys are applied if valid; a conflict names both actions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.app.key_actions import ACTIVE_TOGETHER, Action
from labeler.app.keymap import Key, Keymap, load_keymap, parse_key
from labeler.app.study.key_overrides import (
    DEFAULT_KEY_USED,
    MOVES_FOCUS,
    NEEDED_FOR_TYPING,
    KeyRefused,
    clash_text,
    with_overrides,
    with_usable_overrides,
)

SHIPPED = load_keymap()


def key(text: str) -> tuple[Key, ...]:
    return (parse_key(text),)


def test_an_override_replaces_the_actions_keys() -> None:
    made = with_overrides(SHIPPED, {Action.SUBMIT: key("F15")})
    assert made[Action.SUBMIT].keys == key("F15")
    assert made[Action.PAUSE] == SHIPPED[Action.PAUSE]


def test_a_clash_names_both_actions_and_their_places() -> None:
    with pytest.raises(KeyRefused) as refused:
        with_overrides(SHIPPED, {Action.COMPARE: key("Ctrl+P")})
    [used] = key("Ctrl+P")
    both = (SHIPPED[action] for action in (Action.PAUSE, Action.COMPARE))
    result = str(refused.value)
    assert result == clash_text(SHIPPED, used, *both)
    for action in (Action.PAUSE, Action.COMPARE):
        binding = SHIPPED[action]
        assert f"“{binding.title}” ({SHIPPED.scope_titles[binding.scope]})" in result


def test_two_actions_can_swap_their_keys() -> None:
    pause, note = SHIPPED[Action.PAUSE].keys, SHIPPED[Action.EDIT_NOTE].keys
    made = with_overrides(SHIPPED, {Action.PAUSE: note, Action.EDIT_NOTE: pause})
    assert (made[Action.PAUSE].keys, made[Action.EDIT_NOTE].keys) == (note, pause)


def test_scopes_that_are_never_active_together_may_share_a_key() -> None:
    walk = SHIPPED[Action.WALK].keys[:1]
    made = with_overrides(SHIPPED, {Action.ENLARGE_IN_COLUMN: key("E"), Action.DROP_COLUMN: walk})
    assert made[Action.DROP_COLUMN].keys == made[Action.WALK].keys[:1]


@pytest.mark.parametrize(
    "text", ["J", "Shift+J", "Space", "Left", "Backspace", "Ctrl+V", "Ctrl+Left"]
)
def test_keys_that_edit_text_are_reserved(text: str) -> None:
    with pytest.raises(KeyRefused, match=NEEDED_FOR_TYPING):
        with_overrides(SHIPPED, {Action.SUBMIT: key(text)})


def test_a_letter_is_free_where_nothing_is_typed() -> None:
    assert with_overrides(SHIPPED, {Action.IMAGE_FIT: key("F")})[Action.IMAGE_FIT].keys == key("F")


def test_tab_always_moves_between_controls() -> None:
    with pytest.raises(KeyRefused, match=MOVES_FOCUS):
        with_overrides(SHIPPED, {Action.IMAGE_FIT: key("Tab")})


def test_an_invalid_override_does_not_affect_others() -> None:
    usable = with_usable_overrides(
        SHIPPED,
        {Action.SUBMIT: key("F15"), Action.COMPARE: key("Ctrl+P"), Action.PAUSE: key("J")},
    )
    assert usable.keymap[Action.SUBMIT].keys == key("F15")
    assert usable.keymap[Action.COMPARE] == SHIPPED[Action.COMPARE]
    assert usable.keymap[Action.PAUSE] == SHIPPED[Action.PAUSE]
    assert len(usable.faults) == 2
    assert all(fault.endswith(DEFAULT_KEY_USED) for fault in usable.faults)


keys = st.sampled_from(sorted({str(k) for b in SHIPPED.bindings for k in b.keys})).map(parse_key)
overrides = st.dictionaries(
    st.sampled_from(Action), st.lists(keys, min_size=1, max_size=2).map(tuple), max_size=6
)


@given(overrides)
def test_any_overrides_give_a_keymap_without_conflicts(
    chosen: dict[Action, tuple[Key, ...]],
) -> None:
    usable = with_usable_overrides(SHIPPED, chosen)
    for scopes in ACTIVE_TOGETHER:
        assert_no_clash(usable.keymap, scopes)


def assert_no_clash(keymap: Keymap, scopes: frozenset[str]) -> None:
    bound = [k for b in keymap.bindings if b.scope in scopes for k in set(b.keys)]
    assert len(bound) == len(set(bound))
