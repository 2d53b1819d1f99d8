"""The evaluation sample: class-balanced, from several datasets, the same on every machine."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.datasets.sampling import (
    DuplicateImage,
    SampleCandidate,
    SampleRequest,
    SampleShortage,
    draw_per_class,
    draw_sample,
    duplicates_elsewhere,
    labeler_order,
)
from labeler.core.study.entities import ImageKey

CLASSES = ("n01440764", "n02084071", "n03297495")
DATASETS = ("original", "new")

GOLDEN_SAMPLE = [
    "new n02084071/2.JPEG",
    "new n03297495/3.JPEG",
    "new n02084071/5.JPEG",
    "original n01440764/3.JPEG",
    "new n01440764/4.JPEG",
    "original n02084071/4.JPEG",
    "new n01440764/0.JPEG",
    "original n01440764/2.JPEG",
    "new n03297495/2.JPEG",
    "original n03297495/2.JPEG",
    "original n03297495/3.JPEG",
    "original n02084071/3.JPEG",
]
GOLDEN_ORDER = [10, 0, 7, 2, 6, 5, 11, 3, 9, 8, 1, 4]
GOLDEN_NAMES = ["12.JPEG", "6.JPEG", "18.JPEG", "7.JPEG", "4.JPEG"]


def candidate(
    dataset: str, wnid: str, number: int, *, content: str | None = None
) -> SampleCandidate:
    key = ImageKey(dataset, f"{wnid}/{number}.JPEG")
    picture = content or f"{key.dataset}/{key.image}"
    return SampleCandidate(key, wnid, sha256(picture.encode()).digest())


def pool(each: int = 6) -> list[SampleCandidate]:
    return [
        candidate(dataset, wnid, number)
        for dataset in DATASETS
        for wnid in CLASSES
        for number in range(each)
    ]


def request(**changes: object) -> SampleRequest:
    return replace(SampleRequest(DATASETS, per_class=2, seed=2012), **changes)  # type: ignore[arg-type]


def drawn(candidates: Iterable[SampleCandidate], **changes: object) -> tuple[ImageKey, ...]:
    return draw_sample(candidates, request(**changes)).images


def wnid_of(key: ImageKey) -> str:
    return key.image.partition("/")[0]


def test_so_many_of_each_class_come_from_each_dataset() -> None:
    draw = draw_sample(pool(), request())

    assert Counter((key.dataset, wnid_of(key)) for key in draw.images) == {
        (dataset, wnid): 2 for dataset in DATASETS for wnid in CLASSES
    }
    assert draw.shortages == draw.duplicates == ()


def test_a_dataset_that_was_not_named_gives_nothing() -> None:
    assert {key.dataset for key in drawn(pool(), datasets=("new",))} == {"new"}


@pytest.mark.parametrize("flag", ["in_training_pool", "problematic"])
def test_the_training_pool_and_problematic_images_stay_out(flag: str) -> None:
    undisturbed = set(drawn(pool()))
    flagged = [replace(c, **{flag: c.key in undisturbed}) for c in pool()]  # type: ignore[arg-type]

    draw = draw_sample(flagged, request())

    assert len(draw.images) == len(undisturbed)
    assert not set(draw.images) & undisturbed


def test_a_class_with_too_few_images_is_reported_with_what_there_is() -> None:
    few = [c for c in pool(3) if c.key != ImageKey("new", f"{CLASSES[0]}/1.JPEG")]

    draw = draw_sample(few, request(per_class=3))

    assert draw.shortages == (SampleShortage("new", CLASSES[0], wanted=3, available=2),)
    assert len(draw.images) == 3 * 3 * 2 - 1


def test_a_class_that_one_dataset_lacks_is_reported() -> None:
    only_original = [c for c in pool() if (c.key.dataset, c.target) != ("new", CLASSES[1])]

    assert draw_sample(only_original, request()).shortages == (
        SampleShortage("new", CLASSES[1], 2, 0),
    )


def test_classes_that_one_dataset_lacks_can_be_left_out() -> None:
    lacking = [c for c in pool(3) if (c.key.dataset, c.target) != ("new", CLASSES[0])]
    request = SampleRequest(DATASETS, per_class=2, seed=1, shared_only=True)
    drawn = draw_sample(lacking, request)
    assert drawn.classes == CLASSES[1:]
    assert drawn.shortages == ()
    assert not draw_sample(lacking, replace(request, per_class=4)).classes


def test_a_class_of_which_nothing_may_be_drawn_is_reported_and_not_left_out_silently() -> None:
    spent = [replace(c, in_training_pool=c.target == CLASSES[2]) for c in pool()]

    assert draw_sample(spent, request()).shortages == (
        SampleShortage("original", CLASSES[2], 2, 0),
        SampleShortage("new", CLASSES[2], 2, 0),
    )


def test_so_many_classes_are_drawn_by_the_seed_and_the_same_from_each_dataset() -> None:
    by_seed = {
        seed: {(key.dataset, wnid_of(key)) for key in drawn(pool(), class_count=2, seed=seed)}
        for seed in range(20)
    }

    for pairs in by_seed.values():
        classes = {wnid for _, wnid in pairs}
        assert len(classes) == 2
        assert pairs == {(dataset, wnid) for dataset in DATASETS for wnid in classes}
    assert {wnid for pairs in by_seed.values() for _, wnid in pairs} == set(CLASSES)


def test_a_limited_number_of_classes_is_drawn_where_something_may_be_drawn() -> None:
    spent = [replace(c, problematic=c.target != CLASSES[1]) for c in pool()]

    draw = draw_sample(spent, request(class_count=1))

    assert {wnid_of(key) for key in draw.images} == {CLASSES[1]}
    assert draw.classes == (CLASSES[1],)
    assert not draw.shortages


def test_the_same_picture_within_a_dataset_is_drawn_once() -> None:
    twins = [candidate("new", CLASSES[0], number, content="one picture") for number in range(2)]
    single = candidate("new", CLASSES[0], 2)

    draw = draw_sample([*twins, single], request(datasets=("new",), per_class=3))

    assert single.key in draw.images
    assert len(draw.images) == 2
    [repeat] = draw.duplicates
    assert {repeat.sampled, repeat.other} == {twin.key for twin in twins}
    assert repeat.other in draw.images
    assert draw.shortages == (SampleShortage("new", CLASSES[0], wanted=3, available=2),)


def test_the_same_picture_in_two_datasets_is_drawn_from_the_one_named_first() -> None:
    original = candidate("original", CLASSES[0], 0, content="one picture")
    copy = candidate("new", CLASSES[0], 0, content="one picture")
    other = candidate("new", CLASSES[0], 1)

    draw = draw_sample([copy, other, original], request(per_class=1))

    assert set(draw.images) == {original.key, other.key}


def test_a_copy_under_another_class_is_still_the_same_picture() -> None:
    one = candidate("new", CLASSES[0], 0, content="one picture")
    other = candidate("new", CLASSES[1], 0, content="one picture")

    draw = draw_sample([one, other], request(datasets=("new",), per_class=1))

    assert draw.images == (one.key,)
    assert draw.duplicates == (DuplicateImage(other.key, one.key),)


def test_images_without_a_known_content_are_never_taken_for_copies() -> None:
    unmeasured = [replace(c, content_hash=None) for c in pool(2)]

    assert len(drawn(unmeasured)) == 2 * 3 * 2


def test_classes_and_datasets_are_shuffled_together() -> None:
    images = drawn(pool(40), per_class=40)

    assert images != tuple(sorted(images))
    halves = [{key.dataset for key in half} for half in (images[:20], images[-20:])]
    assert all(half == set(DATASETS) for half in halves)
    assert {wnid_of(key) for key in images[:20]} == set(CLASSES)


@given(st.permutations(pool(4)))
def test_the_order_of_arrival_does_not_change_the_draw(candidates: list[SampleCandidate]) -> None:
    assert drawn(candidates) == drawn(pool(4))


@given(
    st.lists(
        st.tuples(st.sampled_from([*DATASETS, "elsewhere"]), st.text(min_size=1, max_size=12)),
        unique=True,
        max_size=8,
    )
)
def test_an_image_of_another_class_does_not_change_the_draw(
    newcomers: list[tuple[str, str]],
) -> None:
    other_class = [
        SampleCandidate(ImageKey(dataset, f"n09999999/{name}"), "n09999999", name.encode())
        for dataset, name in newcomers
    ]

    before = drawn(pool())
    after = [key for key in drawn([*other_class, *pool()]) if wnid_of(key) in CLASSES]

    assert after == list(before)


@given(st.integers(min_value=0, max_value=2**63 - 1), st.integers(min_value=1, max_value=6))
def test_a_larger_draw_holds_the_smaller_one(seed: int, per_class: int) -> None:
    smaller = set(drawn(pool(), seed=seed, per_class=per_class - 1))

    assert smaller <= set(drawn(pool(), seed=seed, per_class=per_class))


def test_seeds_draw_differently() -> None:
    assert len({frozenset(drawn(pool(), seed=seed)) for seed in range(10)}) == 10


@given(st.integers(min_value=0, max_value=2**63 - 1))
def test_a_labelers_order_is_a_permutation_of_the_sample(order_seed: int) -> None:
    sample = drawn(pool())

    assert sorted(labeler_order(sample, order_seed=order_seed)) == sorted(sample)


def test_labelers_have_orders_of_their_own_that_do_not_depend_on_the_samples_order() -> None:
    sample = drawn(pool())
    orders = {labeler_order(sample, order_seed=seed) for seed in range(10)}

    assert len(orders) == 10
    assert labeler_order(sample[::-1], order_seed=3) == labeler_order(sample, order_seed=3)


def test_a_collision_names_the_sampled_image_and_the_other() -> None:
    sampled = candidate("new", CLASSES[0], 0, content="one picture")
    unmeasured = replace(candidate("new", CLASSES[0], 1), content_hash=None)
    elsewhere = ImageKey("references", "renamed.JPEG")
    assert sampled.content_hash is not None

    found = duplicates_elsewhere([sampled, unmeasured], {sampled.content_hash: elsewhere})

    assert found == (DuplicateImage(sampled.key, elsewhere),)


def test_drawing_per_class_gives_all_where_there_are_few() -> None:
    names = ["a", "b", "c"]

    assert sorted(draw_per_class(names, count=9, seed=1, wnid=CLASSES[0])) == names
    assert (
        draw_per_class(names, count=2, seed=1, wnid=CLASSES[0])
        == (draw_per_class(names[::-1], count=3, seed=1, wnid=CLASSES[0])[:2])
    )


def test_a_fixed_seed_draws_these_images_on_every_machine() -> None:
    sample = drawn(pool())

    assert [f"{key.dataset} {key.image}" for key in sample] == GOLDEN_SAMPLE
    order = labeler_order(sample, order_seed=7)
    assert [sample.index(key) for key in order] == GOLDEN_ORDER
    names = [f"{number}.JPEG" for number in range(20)]
    assert draw_per_class(names, count=5, seed=2020, wnid=CLASSES[0]) == GOLDEN_NAMES
