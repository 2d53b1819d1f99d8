"""Drawing some images of each class by name, with spare ones for what can't be read."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from labeler.app.datasets.dataset_import import (
    draw_by_class,
    drawn_image_names,
    next_images_to_read,
)
from labeler.images.dataset_files import ListedImage

CLASSES = ("n01440764", "n02085620")


def listed(each: int = 30) -> list[ListedImage]:
    return [
        ListedImage(f"{wnid}/{n}.JPEG", f"/x/{wnid}/{n}.JPEG", wnid)
        for wnid in CLASSES
        for n in range(each)
    ]


def names(draws, wnid: str) -> list[str]:
    return [image.name for image in draws[wnid]]


def test_each_class_gets_its_images_and_spare_ones() -> None:
    draws = draw_by_class(listed(), per_class=3, seed=1)

    assert set(draws) == set(CLASSES)
    for wnid in CLASSES:
        assert len(names(draws, wnid)) == len(set(names(draws, wnid))) > 3
        assert all(name.startswith(wnid) for name in names(draws, wnid))


@given(st.permutations(listed(9)))
def test_the_order_of_the_listing_does_not_matter(images: list[ListedImage]) -> None:
    assert dict(draw_by_class(images, per_class=2, seed=1)) == dict(
        draw_by_class(listed(9), per_class=2, seed=1)
    )


def test_a_listing_that_comes_back_to_a_class_keeps_its_best_names() -> None:
    images = listed(200)
    mixed = images[0::2] + images[1::2]

    assert dict(draw_by_class(mixed, per_class=2, seed=5)) == dict(
        draw_by_class(images, per_class=2, seed=5)
    )


def test_seeds_draw_differently_and_a_larger_draw_begins_with_the_smaller() -> None:
    small = draw_by_class(listed(), per_class=2, seed=1)
    large = draw_by_class(listed(), per_class=5, seed=1)
    other = draw_by_class(listed(), per_class=2, seed=2)

    for wnid in CLASSES:
        assert names(large, wnid)[: len(names(small, wnid))] == names(small, wnid)
        assert names(other, wnid) != names(small, wnid)


def test_a_round_asks_for_what_each_class_lacks_and_never_twice() -> None:
    draws = draw_by_class(listed(), per_class=3, seed=1)
    fish, dog = CLASSES
    tried = {*names(draws, fish)[:3], *names(draws, dog)[:3]}

    again = next_images_to_read(
        draws, per_class=3, readable=Counter({fish: 3, dog: 1}), tried=tried
    )

    assert [image.name for image in again] == names(draws, dog)[3:5]


def test_a_class_that_has_no_more_images_asks_for_nothing() -> None:
    draws = draw_by_class(listed(2), per_class=3, seed=1)
    tried = {image.name for image in listed(2)}

    assert not list(next_images_to_read(draws, per_class=3, readable=Counter(), tried=tried))


def test_the_first_readable_ones_in_the_order_of_the_draw_are_chosen() -> None:
    draws = draw_by_class(listed(), per_class=3, seed=1)
    fish, dog = CLASSES
    readable = {*names(draws, fish)[1:], names(draws, dog)[0]}

    assert drawn_image_names(draws, readable, per_class=3) == {
        fish: names(draws, fish)[1:4],
        dog: names(draws, dog)[:1],
    }
