"""Keys as text: what is written comes back, and what names no key is refused with a reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.app.keymap import MODIFIERS, NAMED_KEYS, Key, UnreadableKey, parse_key

CHARACTERS = [chr(code) for code in range(33, 127) if not chr(code).islower()]
NAMES = [*NAMED_KEYS, *CHARACTERS, *(f"F{number}" for number in range(1, 25))]

keys = st.builds(
    lambda chosen, name: Key(modifiers=tuple(m for m in MODIFIERS if m in chosen), name=name),
    st.sets(st.sampled_from(MODIFIERS)),
    st.sampled_from(NAMES),
)


@given(keys)
def test_a_key_is_read_back_as_it_is_written(key: Key) -> None:
    assert parse_key(str(key)) == key


@given(keys)
def test_the_order_of_modifiers_does_not_matter(key: Key) -> None:
    assert parse_key("+".join((*reversed(key.modifiers), key.name))) == key


@given(keys)
def test_there_is_a_cap_for_each_modifier_and_one_for_the_key(key: Key) -> None:
    assert len(key.caps) == len(key.modifiers) + 1
    assert all(cap.strip() for cap in key.caps)


@given(st.text(max_size=12))
def test_what_can_be_read_can_be_written_and_read_again(text: str) -> None:
    try:
        key = parse_key(text)
    except UnreadableKey:
        return
    assert parse_key(str(key)) == key


@pytest.mark.parametrize("text", ["", "Ctrl", "Ctrl+", "Strg+F", "Ctrl+Ctrl+F", "F25", "F0", "ab"])
def test_these_name_no_key(text: str) -> None:
    with pytest.raises(UnreadableKey, match=r"\.$"):
        parse_key(text)


def test_letters_may_be_written_small() -> None:
    assert parse_key("Ctrl+f") == parse_key("Ctrl+F")


@pytest.mark.parametrize(
    ("text", "types"),
    [("?", True), ("Shift+A", True), ("Space", True), ("Ctrl+A", False), ("F1", False)],
)
def test_a_text_field_is_asked_only_about_keys_that_type(text: str, *, types: bool) -> None:
    assert parse_key(text).types_text is types
