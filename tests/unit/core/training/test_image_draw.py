"""A training draws fresh images of due and other classes, and has a missed class come again."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.study.entities import ImageKey
from labeler.core.training.image_draw import (
    MAX_MISSES,
    REPEAT_AFTER,
    PlannedTrainingImage,
    PoolImage,
    draw_training_images,
    next_repetition,
)
from labeler.core.training.request import TrainingOrder

CLASSES = tuple(f"n0000000{number}" for number in range(6))


def pool_of(each: int, *, classes=CLASSES, shown: int = 0) -> list[PoolImage]:
    return [
        PoolImage(ImageKey("pool", f"{wnid}/{number}"), wnid, shown)
        for wnid in classes
        for number in range(each)
    ]


def targets(drawn) -> list[str]:
    return [key.image.split("/")[0] for key in drawn]


pools = st.lists(
    st.builds(
        lambda number, wnid, shown: PoolImage(ImageKey("pool", f"{wnid}/{number}"), wnid, shown),
        st.integers(0, 9),
        st.sampled_from(CLASSES),
        st.integers(0, 3),
    ),
    unique_by=lambda image: image.key,
)


@given(
    pools,
    st.permutations(CLASSES).flatmap(lambda all_: st.integers(0, 6).map(lambda n: all_[:n])),
    st.integers(1, 40),
    st.sampled_from(TrainingOrder),
    st.integers(0, 5),
)
def test_as_many_images_as_asked_for_or_all_there_are_and_none_twice(
    pool, due, length, order, seed
) -> None:
    drawn = draw_training_images(pool, due=due, length=length, order=order, seed=seed)

    assert len(drawn) == len(set(drawn)) == min(length, len(pool))
    assert set(drawn) <= {image.key for image in pool}
    again = draw_training_images(reversed(pool), due=due, length=length, order=order, seed=seed)
    assert drawn == again


@given(st.integers(2, 12), st.integers(0, 9))
def test_due_classes_take_half_of_the_places_while_others_are_there(length, seed) -> None:
    due = CLASSES[:2]
    drawn = draw_training_images(
        pool_of(9), due=due, length=length, order=TrainingOrder.MIXED, seed=seed
    )

    repeated = sum(target in due for target in targets(drawn))
    assert repeated == min(2, (length + 1) // 2)


def test_only_due_classes_fill_a_training_of_nothing_else() -> None:
    due = CLASSES[:4]
    drawn = draw_training_images(
        pool_of(1, classes=due), due=due, length=20, order=TrainingOrder.MIXED, seed=1
    )

    assert sorted(targets(drawn)) == sorted(due)


def test_what_is_due_can_come_first() -> None:
    drawn = draw_training_images(
        pool_of(3), due=CLASSES[4:], length=6, order=TrainingOrder.DUE_FIRST, seed=3
    )

    assert set(targets(drawn)[:2]) == set(CLASSES[4:])


def test_images_can_come_class_by_class() -> None:
    drawn = draw_training_images(
        pool_of(3), due=(), length=12, order=TrainingOrder.BY_CLASS, seed=3
    )

    assert targets(drawn) == sorted(targets(drawn))


def test_every_class_has_its_turn_before_one_comes_twice() -> None:
    drawn = draw_training_images(pool_of(5), due=(), length=6, order=TrainingOrder.MIXED, seed=9)

    assert sorted(targets(drawn)) == list(CLASSES)


def test_classes_and_images_that_were_met_least_come_first() -> None:
    met = pool_of(2, classes=CLASSES[:3], shown=1)
    fresh = PoolImage(ImageKey("pool", f"{CLASSES[5]}/new"), CLASSES[5])
    stale = PoolImage(ImageKey("pool", f"{CLASSES[5]}/old"), CLASSES[5], 4)

    drawn = draw_training_images(
        [*met, stale, fresh], due=CLASSES[5:], length=1, order=TrainingOrder.MIXED, seed=2
    )

    assert drawn == (fresh.key,)


def test_another_seed_is_another_training() -> None:
    draws = {
        draw_training_images(pool_of(4), due=(), length=8, order=TrainingOrder.MIXED, seed=seed)
        for seed in range(5)
    }

    assert len(draws) == 5


def planned(*images: tuple[str, bool]) -> list[PlannedTrainingImage]:
    return [
        PlannedTrainingImage(
            f"t{position}", position, ImageKey("pool", name), name.split("/")[0], done
        )
        for position, (name, done) in enumerate(images, start=1)
    ]


A, B = CLASSES[:2]


def test_a_missed_class_comes_again_a_few_images_later_as_another_image() -> None:
    training = planned((f"{A}/0", True), *((f"{B}/{number}", False) for number in range(9)))

    found = next_repetition(training[0], training, pool_of(3), misses=1, seed=1)

    assert found is not None
    key, position = found
    assert key != training[0].key
    assert (targets([key]), position) == ([A], 1 + REPEAT_AFTER + 1)


def test_near_the_end_it_comes_last() -> None:
    training = planned((f"{B}/0", True), (f"{A}/0", True))

    found = next_repetition(training[1], training, pool_of(2), misses=1, seed=1)

    assert found == (ImageKey("pool", f"{A}/1"), 3)


def test_the_same_image_comes_again_only_when_it_must() -> None:
    training = planned((f"{A}/0", True))

    found = next_repetition(training[0], training, pool_of(1), misses=1, seed=1)

    assert found == (training[0].key, 2)


def test_a_class_that_still_comes_by_itself_is_not_added() -> None:
    training = planned((f"{A}/0", True), (f"{A}/1", False))

    assert next_repetition(training[0], training, pool_of(3), misses=1, seed=1) is None


def test_a_class_missed_too_often_waits_for_another_day() -> None:
    training = planned((f"{A}/0", True))

    assert next_repetition(training[0], training, pool_of(3), misses=MAX_MISSES, seed=1) is None
