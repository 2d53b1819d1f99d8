"""The keymap: the one that ships is sound, and each kind of fault is reported in a sentence."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.app.key_actions import ACTIVE_TOGETHER, Action, Scope
from labeler.app.keymap import (
    DEFAULT_KEYMAP_FILE,
    NOT_TOML,
    SHARED_KEY,
    TWO_SCOPES,
    Binding,
    Keymap,
    load_keymap,
    parse_keymap,
)
from labeler.core.errors import InputError, RefusedError

SHIPPED = DEFAULT_KEYMAP_FILE.read_text(encoding="utf-8")


def refusal(text: str) -> str:
    with pytest.raises(InputError) as refused:
        parse_keymap(text, file="keys.toml")
    message = str(refused.value)
    assert message.startswith("keys.toml: ")
    assert message.endswith(".")
    return message


def written(keymap: Keymap) -> str:
    """A keymap as a file."""
    lines = []
    for scope in Scope:
        lines += [f"[{scope}]", f'title = "{keymap.scope_titles[scope]}"', f"[{scope}.actions]"]
        for binding in keymap.of(scope):
            keys = ", ".join(f"'{key}'" for key in binding.keys)
            lines.append(f'{binding.action} = {{ title = "{binding.title}", keys = [{keys}] }}')
    return "\n".join(lines)


def test_the_shipped_keymap_binds_every_action_once() -> None:
    keymap = load_keymap()
    assert sorted(binding.action for binding in keymap.bindings) == sorted(Action)
    assert all(binding.keys and binding.title for binding in keymap.bindings)


def test_a_keymap_that_is_written_and_read_is_the_same() -> None:
    keymap = load_keymap()
    assert parse_keymap(written(keymap), file="again.toml").bindings == keymap.bindings


def test_the_scopes_of_an_action_are_as_the_file_says() -> None:
    keymap = load_keymap()
    assert keymap[Action.ENLARGE].scope is Scope.REFERENCES
    assert [str(key) for key in keymap[Action.ENLARGE].keys] == ["Space", "Return", "Enter"]


@given(st.data())
def test_a_key_of_two_actions_is_refused_exactly_where_both_are_in_force(
    data: st.DataObject,
) -> None:
    keymap = load_keymap()
    giver, taker = data.draw(
        st.lists(st.sampled_from(keymap.bindings), min_size=2, max_size=2, unique=True)
    )
    key = data.draw(st.sampled_from(giver.keys))
    rebound = replace(
        keymap,
        bindings=tuple(replace(b, keys=(key,)) if b is taker else b for b in keymap.bindings),
    )
    rivals = [b for b in keymap.bindings if key in b.keys and b is not taker]
    if any(in_force_together(rival, taker) for rival in rivals):
        message = refusal(written(rebound))
        assert SHARED_KEY.partition("{one}")[0].format(key=key) in message
        assert f"“{taker.action}”" in message
    else:
        assert parse_keymap(written(rebound), file="keys.toml")[taker.action].keys == (key,)


def in_force_together(one: Binding, other: Binding) -> bool:
    return any({one.scope, other.scope} <= scopes for scopes in ACTIVE_TOGETHER)


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("quit =", "explode =", "“window.explode” is no action of this program."),
        ("[window]\n", "[cellar]\n", "There is no scope “cellar”"),
        ('keys = ["Ctrl+Q"]', 'keys = ["Strg+Q"]', "“Strg” in “Strg+Q” is no modifier"),
        ('keys = ["Ctrl+Q"]', "keys = []", "“quit” needs a list of keys"),
        ('keys = ["Ctrl+Q"]', 'keys = "Ctrl+Q"', "“quit” needs a list of keys"),
        ('title = "Close the window", ', "", "“quit” needs a title."),
        ('title = "Everywhere"', "title = 3", "“window” needs a title."),
        ("[window.actions]", "[window.deeds]", "needs a table “window.actions”."),
        ("quit = {", "quit = 7 #", "“quit” needs a title."),
        ("[window]", "[window", NOT_TOML.partition("{")[0]),
    ],
)
def test_a_fault_is_reported_in_a_sentence(old: str, new: str, result: str) -> None:
    assert old in SHIPPED
    assert result in refusal(SHIPPED.replace(old, new, 1))


def test_an_action_without_keys_is_named() -> None:
    kept = [line for line in SHIPPED.splitlines() if not line.startswith("quit ")]
    assert "“quit” has no keys." in refusal("\n".join(kept))


def test_an_action_in_two_scopes_is_named() -> None:
    line = next(line for line in SHIPPED.splitlines() if line.startswith("quit "))
    doubled = f"{SHIPPED}\n{line.replace('Ctrl+Q', 'Ctrl+W')}"
    assert TWO_SCOPES.format(action="quit") in refusal(doubled)


def test_a_missing_file_is_reported_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"The keymap '.*gone.toml' can't be read"):
        load_keymap(tmp_path / "gone.toml")


@given(st.text())
def test_no_text_brings_the_reader_down(text: str) -> None:
    with pytest.raises(InputError):
        parse_keymap(text, file="keys.toml")
