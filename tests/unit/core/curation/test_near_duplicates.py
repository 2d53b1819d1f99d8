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
    review_depth,
    review_row,
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


@given(neighbours, some_images, st.integers(0, 20))
def test_a_row_is_open_exactly_while_the_depth_is_within_the_limit(
    found: list[Neighbour], judged: set[ImageKey], limit: int
) -> None:
    reviewed = {ImagePair.of(CANDIDATE, image) for image in judged}
    row = review_row(CANDIDATE, DuplicateMetric.L2, found, limit=limit, reviewed=reviewed)
    depth = review_depth(CANDIDATE, found, reviewed)
    assert (row is None) == (depth > limit)
    if row is not None:
        assert len(row.neighbours) <= NEIGHBOURS_SHOWN
        assert row.neighbours[0].distance == depth


def test_a_candidate_must_be_deep_enough_in_every_metric_that_was_searched() -> None:
    limits = {DuplicateMetric.L2: 5.0, DuplicateMetric.DSSIM: 0.2}
    assert is_deep_enough({DuplicateMetric.L2: inf, DuplicateMetric.DSSIM: 0.3}, limits)
    assert not is_deep_enough({DuplicateMetric.L2: inf, DuplicateMetric.DSSIM: 0.2}, limits)
    assert not is_deep_enough({DuplicateMetric.L2: inf}, limits)
