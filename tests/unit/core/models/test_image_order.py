"""Predictions are matched with images in a declared order, or refused."""

import pytest

from labeler.core.errors import RefusedError
from labeler.core.models.prediction_order import ImageOrder, ordinals_by_list, ordinals_in_order

V2 = ["0/b.jpeg", "1/a.jpeg", "2/a.jpeg", "10/a.jpeg", "0/a.jpeg"]


def test_folders_as_numbers_and_as_text_are_different_orders() -> None:
    as_numbers = [V2[n] for n in ordinals_in_order(V2, ImageOrder.NUMBERS)]
    assert as_numbers == ["0/a.jpeg", "0/b.jpeg", "1/a.jpeg", "2/a.jpeg", "10/a.jpeg"]
    as_text = [V2[n] for n in ordinals_in_order(V2, ImageOrder.NAMES)]
    assert as_text == ["0/a.jpeg", "0/b.jpeg", "1/a.jpeg", "10/a.jpeg", "2/a.jpeg"]
    assert ordinals_in_order(V2, ImageOrder.STUDY) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["n01440764/a.JPEG", "3.jpeg"])
def test_folders_that_are_no_numbers_are_refused(name: str) -> None:
    with pytest.raises(RefusedError, match="order of the predictions"):
        ordinals_in_order([name], ImageOrder.NUMBERS)


def test_a_list_must_name_every_image_once() -> None:
    assert ordinals_by_list(["a", "b", "c"], ["c", "a", "b"]) == [2, 0, 1]
    with pytest.raises(RefusedError, match="Line 2 of the order, 'x'"):
        ordinals_by_list(["a", "b"], ["a", "x"])
    with pytest.raises(RefusedError, match="'a' twice"):
        ordinals_by_list(["a", "b"], ["a", "a"])
    with pytest.raises(RefusedError, match="1 entries, but the dataset has 2 images"):
        ordinals_by_list(["a", "b"], ["a"])
