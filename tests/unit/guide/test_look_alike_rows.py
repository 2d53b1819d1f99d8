"""Rows about two things in one picture don't make look-alikes."""

import pytest

from labeler.guide.distinctions import Distinction


@pytest.mark.parametrize(
    ("trait", "alike"),
    [
        ("A thin wooden stick is matchstick; wax with a wick is candle.", True),
        ("A head alone often cannot be decided: take both.", True),
        ("No look-alikes: a candle can be on the plate.", False),
        ("These are not look-alikes.", False),
        ("A candle on a set table and the meal are each right if they show.", False),
        ("The pot, or the small black drink. Both are correct when both show.", False),
    ],
)
def test_only_rows_that_tell_two_classes_apart_count(trait: str, alike: bool) -> None:
    assert Distinction("n02948072", "n07579787", trait).are_look_alikes is alike
