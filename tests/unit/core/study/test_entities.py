"""Codes: what may be one, and which is free."""

from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.study.entities import is_valid_code, next_free_code

CODES = st.one_of(
    st.sampled_from(ascii_uppercase + ascii_uppercase.lower()),
    st.from_regex(r"[A-Za-z][2-9]", fullmatch=True),
)


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        ((), "A"),
        (("L",), "A"),
        (("L", "A", "b"), "C"),
        (tuple(ascii_uppercase), "A2"),
        ((*ascii_uppercase, "a2"), "B2"),
    ],
)
def test_the_next_letter_that_no_one_has_is_free(taken: tuple[str, ...], free: str) -> None:
    assert next_free_code(taken) == free


@pytest.mark.parametrize(
    "character",
    "\x00\x07\x7f\u200b\u200d\ufeff\u202e\u2066\u061c\u2060\u00ad\u3164\ufe0f\u034f\ue000\ud800",
)
def test_an_invisible_character_is_in_no_code(character: str) -> None:
    assert not is_valid_code(f"A{character}B")
    assert not is_valid_code(character)


@pytest.mark.parametrize("code", ["A", "Ö3", "張", "R-2_x.y", "İ", "e\u0301"])
def test_letters_of_any_script_are_in_codes(code: str) -> None:
    assert is_valid_code(code)


@given(st.lists(CODES))
def test_a_free_code_differs_from_all_by_more_than_its_case(taken: list[str]) -> None:
    free = next_free_code(taken)
    assert is_valid_code(free)
    assert free.lower() not in {code.lower() for code in taken}
