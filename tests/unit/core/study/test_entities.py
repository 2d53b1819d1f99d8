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


@given(st.lists(CODES))
def test_a_free_code_differs_from_all_by_more_than_its_case(taken: list[str]) -> None:
    free = next_free_code(taken)
    assert is_valid_code(free)
    assert free.lower() not in {code.lower() for code in taken}
