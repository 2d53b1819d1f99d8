"""Which images a labeler is asked twice, and how far apart."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.datasets.hidden_repeats import (
    MAX_REPEATS,
    AskedImage,
    order_with_repeats,
    repeat_count,
)
from labeler.core.study.entities import ImageKey

SIZES = st.integers(0, 120)
SHARES = st.floats(0, MAX_REPEATS)
SEEDS = st.integers(0, 2**31 - 1)


def _order(size: int) -> list[ImageKey]:
    return [ImageKey("val", f"{number}.JPEG") for number in range(size)]


@given(size=SIZES, share=SHARES, seed=SEEDS)
def test_each_image_is_asked_once_in_its_order_and_a_share_of_them_twice(size, share, seed):
    order = _order(size)
    asked = order_with_repeats(order, share=share, order_seed=seed)
    assert [image.key for image in asked if image.asking == 1] == order
    again = [image.key for image in asked if image.asking == 2]
    assert len(set(again)) == len(again) == repeat_count(size, share)
    assert len(asked) == size + len(again)


@given(size=SIZES, share=SHARES, seed=SEEDS)
def test_half_a_sample_is_between_an_image_and_its_repeat(size, share, seed):
    asked = order_with_repeats(_order(size), share=share, order_seed=seed)
    for place, image in enumerate(asked):
        if image.asking == 2:
            assert place - asked.index(AskedImage(image.key, 1)) > size // 2


def test_labelers_are_asked_different_images_twice_at_different_places():
    orders = [order_with_repeats(_order(100), share=0.1, order_seed=seed) for seed in range(20)]
    repeats = {
        tuple((at, image.key) for at, image in enumerate(order) if image.asking == 2)
        for order in orders
    }
    assert len(repeats) == len(orders)


def test_the_same_seed_gives_the_same_repeats():
    first, second = (order_with_repeats(_order(50), share=0.2, order_seed=7) for _time in range(2))
    assert first == second
