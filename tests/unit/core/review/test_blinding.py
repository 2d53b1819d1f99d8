"""No order and no id of a review tells who proposed what."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.review.blinding import (
    ImageLabelPair,
    label_order,
    pool_pairs,
    repeat_visit,
    review_visit,
    tile_order,
)
from labeler.core.study.entities import ImageKey, Stage

IMAGES = [ImageKey("original", f"n0{number}/{number}.jpg") for number in range(6)]
TARGET, BY_MODELS, BY_HUMAN = "n02504458", "n01871265", "n02504013"
SEEDS = range(600)

# With 600 draws of three places the chance of passing this by luck's bad side is about 1e-6.
CHI_SQUARE_OF_TWO = 27.6


def chi_square(places: Counter[int], expected: float) -> float:
    return sum((places[place] - expected) ** 2 / expected for place in range(3))


def first_visit(seed: int) -> str:
    return review_visit(seed, stage=Stage.FINAL, reviewer="R", image=IMAGES[0]).visit_id


def test_a_pair_that_many_proposed_is_asked_once() -> None:
    pair = ImageLabelPair(IMAGES[0], TARGET)
    assert pool_pairs([pair, pair], [pair]) == {pair}


def test_over_many_seeds_every_source_stands_at_every_place_as_often() -> None:
    for label in (TARGET, BY_MODELS, BY_HUMAN):
        places = Counter(
            label_order(first_visit(seed), (TARGET, BY_MODELS, BY_HUMAN)).index(label)
            for seed in SEEDS
        )
        assert chi_square(places, len(SEEDS) / 3) < CHI_SQUARE_OF_TWO


def test_over_many_seeds_an_image_is_met_early_as_often_as_late() -> None:
    def order(seed: int) -> list[ImageKey]:
        made = [
            review_visit(seed, stage=Stage.FINAL, reviewer="R", image=image) for image in IMAGES[:3]
        ]
        return [each.image for each in sorted(made, key=lambda one: one.place)]

    for image in IMAGES[:3]:
        places = Counter(order(seed).index(image) for seed in SEEDS)
        assert chi_square(places, len(SEEDS) / 3) < CHI_SQUARE_OF_TWO


@settings(max_examples=40)
@given(st.permutations([TARGET, BY_MODELS, BY_HUMAN]), st.integers(0, 99))
def test_the_order_in_which_labels_were_proposed_changes_nothing(
    proposed: list[str], seed: int
) -> None:
    visit_id = first_visit(seed)
    assert label_order(visit_id, proposed) == label_order(visit_id, sorted(proposed))
    assert tile_order(TARGET, proposed) == tile_order(TARGET, sorted(proposed))


def test_two_reviewers_and_two_stages_have_ids_and_orders_of_their_own() -> None:
    made = [
        review_visit(7, stage=stage, reviewer=reviewer, image=image)
        for stage in Stage
        for reviewer in ("R", "S")
        for image in IMAGES
    ]
    assert len({one.visit_id for one in made}) == len({one.place for one in made}) == len(made)


def test_no_visits_id_holds_a_name() -> None:
    assert not any(image.image[:3] in first_visit(1) for image in IMAGES)


def test_a_label_more_leaves_the_order_of_the_others_alone() -> None:
    for seed in range(20):
        few = label_order(first_visit(seed), (TARGET, BY_MODELS))
        more = label_order(first_visit(seed), (TARGET, BY_MODELS, BY_HUMAN))
        assert tuple(label for label in more if label != BY_HUMAN) == few


def test_a_repeat_comes_half_a_plan_after_its_first_asking() -> None:
    first = review_visit(7, stage=Stage.FINAL, reviewer="R", image=IMAGES[0])
    pair = ImageLabelPair(IMAGES[0], TARGET)
    again = repeat_visit(7, stage=Stage.FINAL, reviewer="R", pair=pair)
    assert again.visit_id != first.visit_id
    assert again.place - first.place == 1 << 60
