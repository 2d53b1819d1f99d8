"""Grids ask about every image, with controls that positions don't reveal."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.classes.taxonomy import load_default
from labeler.core.crowd.entities import GridRole
from labeler.core.crowd.grids import (
    MULTI_LABEL_RULES,
    GridRules,
    PlannedGrid,
    nearest_class_with_images,
    plan_grids,
)
from labeler.core.study.entities import ImageKey

TAXONOMY = load_default()
TENCH, GOLDFISH = "n01440764", "n01443537"


def images(prefix: str, count: int) -> list[ImageKey]:
    return [ImageKey(prefix, f"{number}.jpg") for number in range(count)]


REFERENCES = {TENCH: images("tench", 100), GOLDFISH: images("goldfish", 100)}


def grids(count: int, rules: GridRules | None = None, seed: int = 1) -> list[PlannedGrid]:
    return list(
        plan_grids(
            {TENCH: images("pool", count)},
            references=REFERENCES,
            taxonomy=TAXONOMY,
            rules=rules or GridRules(),
            seed=seed,
        )
    )


def roles(grid: PlannedGrid) -> Counter[GridRole]:
    return Counter(shown.role for shown in grid.images)


def test_negative_controls_come_from_the_nearest_class_with_images() -> None:
    assert nearest_class_with_images(TENCH, TAXONOMY, REFERENCES) == GOLDFISH
    assert nearest_class_with_images(TENCH, TAXONOMY, {TENCH: images("tench", 1)}) is None


@pytest.mark.parametrize(
    ("rules", "counts"), [(GridRules(), (42, 3, 3)), (MULTI_LABEL_RULES, (43, 5, 0))]
)
def test_a_full_grid_has_its_controls(rules: GridRules, counts: tuple[int, int, int]) -> None:
    for grid in grids(126, rules):
        assert tuple(roles(grid)[role] for role in GridRole) == counts


def test_the_last_grid_is_filled_with_earlier_candidates() -> None:
    first, last = grids(50)
    assert roles(last)[GridRole.CANDIDATE] == 42
    assert len({s.image for s in last.images} - {s.image for s in first.images}) == 8 + 6


def test_a_small_class_is_filled_with_controls_the_odd_one_positive() -> None:
    (grid,) = grids(35)
    assert roles(grid) == {GridRole.CANDIDATE: 35, GridRole.POSITIVE: 7, GridRole.NEGATIVE: 6}


@given(st.integers(1, 200), st.integers(0, 99))
def test_every_image_is_asked_about_and_none_twice_in_a_grid(count: int, seed: int) -> None:
    planned = grids(count, seed=seed)
    asked = {s.image for grid in planned for s in grid.images if s.role is GridRole.CANDIDATE}
    assert asked == set(images("pool", count))
    for grid in planned:
        assert len({s.image for s in grid.images}) == len(grid.images) == 48


def test_controls_differ_between_grids_of_a_class() -> None:
    planned = grids(42 * 30)
    used = Counter(s.image for g in planned for s in g.images if s.role is not GridRole.CANDIDATE)
    assert max(used.values()) == 1


def test_controls_are_at_random_positions() -> None:
    planned = grids(42 * 33)
    at = Counter(
        place for g in planned for place, s in enumerate(g.images) if s.role is GridRole.POSITIVE
    )
    # 99 controls over 48 positions: none is preferred, and most are used.
    assert max(at.values()) <= 9
    assert len(at) >= 30


def test_an_image_that_is_asked_about_is_no_control() -> None:
    references = {**REFERENCES, TENCH: images("pool", 10)}
    planned = plan_grids(
        {TENCH: images("pool", 5)},
        references=references,
        taxonomy=TAXONOMY,
        rules=GridRules(),
        seed=1,
    )
    positive = {s.image for g in planned for s in g.images if s.role is GridRole.POSITIVE}
    assert positive == set(images("pool", 10)[5:])


def test_the_same_seed_makes_the_same_grids() -> None:
    assert grids(100, seed=5) == grids(100, seed=5) != grids(100, seed=6)
