"""Rows to review and the depth of the review."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.near_duplicates import (
    NEIGHBOURS_SHOWN,
    ImagePair,
    Neighbour,
    is_deep_enough,
    plan_review,
    review_depth,
)
from labeler.core.study.entities import ImageKey

CANDIDATE = ImageKey("pool", "a")
OTHERS = [ImageKey("pool", f"b{number}") for number in range(20)]
neighbours = st.lists(
    st.tuples(st.sampled_from(OTHERS), st.integers(0, 20)), unique_by=lambda found: found[0]
).map(lambda found: [Neighbour(image, float(distance)) for image, distance in found])
some_images = st.sets(st.sampled_from(OTHERS))


def test_a_pair_equals_itself_the_other_way_round() -> None:
    assert ImagePair.of(OTHERS[0], CANDIDATE) == ImagePair.of(CANDIDATE, OTHERS[0])
    assert ImagePair.of(OTHERS[0], CANDIDATE).other(CANDIDATE) == OTHERS[0]


def test_an_image_makes_no_pair_with_itself() -> None:
    with pytest.raises(ValueError, match="itself"):
        ImagePair.of(CANDIDATE, CANDIDATE)


@given(neighbours, some_images, some_images)
def test_depth_is_the_distance_of_the_nearest_neighbour_that_is_still_open(
    found: list[Neighbour], judged: set[ImageKey], skipped: set[ImageKey]
) -> None:
    reviewed = {ImagePair.of(CANDIDATE, image) for image in judged}
    depth = review_depth(CANDIDATE, found, reviewed, skipped=skipped)
    still_open = [n.distance for n in found if n.image not in judged | skipped]
    assert depth == (min(still_open) if still_open else inf)


def test_depth_is_zero_before_distances_are_computed() -> None:
    assert review_depth(CANDIDATE, None, set()) == 0


def test_a_candidate_must_be_deep_enough_in_every_metric_that_was_searched() -> None:
    limits = {DuplicateMetric.L2: 5.0, DuplicateMetric.DSSIM: 0.2}
    assert is_deep_enough({DuplicateMetric.L2: inf, DuplicateMetric.DSSIM: 0.3}, limits)
    assert not is_deep_enough({DuplicateMetric.L2: inf, DuplicateMetric.DSSIM: 0.2}, limits)
    assert not is_deep_enough({DuplicateMetric.L2: inf}, limits)


some_pairs = st.dictionaries(
    st.tuples(st.sampled_from(OTHERS), st.sampled_from(OTHERS))
    .filter(lambda two: two[0] != two[1])
    .map(lambda two: ImagePair.of(*two)),
    st.integers(0, 20).map(float),
)


@given(some_pairs, some_pairs, some_images, some_images)
def test_every_open_pair_within_a_limit_is_in_exactly_one_row(
    by_pixels: dict[ImagePair, float],
    by_structure: dict[ImagePair, float],
    judged: set[ImageKey],
    rejected: set[ImageKey],
) -> None:
    limits = {DuplicateMetric.L2: 10.0, DuplicateMetric.DSSIM: 5.0}
    reviewed = {pair for pair in by_pixels if pair.first in judged}
    protection = {image: int(image in OTHERS[:5]) for image in OTHERS}
    rows = plan_review(
        {DuplicateMetric.L2: by_pixels, DuplicateMetric.DSSIM: by_structure},
        limits,
        reviewed=reviewed,
        protection=protection,
        skipped=rejected,
    )
    in_rows = [ImagePair.of(row.candidate, n.image) for row in rows for n in row.neighbours]
    expected = {pair for pair, distance in by_pixels.items() if distance <= 10} | {
        pair for pair, distance in by_structure.items() if distance <= 5
    }
    skipped = {pair for pair in expected if {pair.first, pair.second} & rejected}
    assert sorted(in_rows) == sorted(expected - reviewed - skipped)
    order = [protection[row.candidate] for row in rows]
    assert order == sorted(order)
    for row in rows:
        assert 1 <= len(row.neighbours) <= NEIGHBOURS_SHOWN
        for neighbour in row.neighbours:
            assert protection[row.candidate] <= protection[neighbour.image]
