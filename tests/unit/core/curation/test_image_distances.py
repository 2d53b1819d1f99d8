"""Fingerprints, searches and DSSIM agree with slow references and with scikit-image."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter
from skimage.metrics import structural_similarity

from labeler.core.curation.fingerprints import (
    PIXEL_SHAPE,
    Pixels,
    block_means,
    block_sums,
    bound_on_means,
    perceptual_hash,
    pixel_distance,
    similar_hashes,
)
from labeler.core.curation.neighbour_search import SearchedVectors, recall
from labeler.core.curation.structural_similarity import (
    WINDOW,
    DssimComparer,
    screened_dssim,
    screened_group,
)


def picture(seed: int, *, smooth: float = 6.0) -> Pixels:
    noise = np.random.default_rng(seed).normal(size=PIXEL_SHAPE)
    soft = np.stack([gaussian_filter(channel, smooth) for channel in noise])
    return ((soft - soft.min()) / np.ptp(soft) * 255).astype(np.uint8)


def altered(pixels: Pixels, seed: int, strength: int) -> Pixels:
    change = np.random.default_rng(seed).integers(-strength, strength + 1, PIXEL_SHAPE)
    return np.clip(pixels.astype(int) + change, 0, 255).astype(np.uint8)


def exact_dssim(one: Pixels, other: Pixels) -> float:
    comparer = DssimComparer()
    return comparer.dssim(comparer.moments(one), comparer.moments(other))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 99), st.integers(0, 99), st.sampled_from([0.0, 2.0, 12.0]))
def test_block_means_are_a_lower_bound_of_the_pixel_distance(
    one: int, other: int, smooth: float
) -> None:
    pixels = [picture(one, smooth=smooth), picture(other, smooth=smooth)]
    exact = ((pixels[0].astype(np.int64) - pixels[1].astype(np.int64)) ** 2).sum()
    means = block_means(np.stack([block_sums(p) for p in pixels])).astype(np.float64)
    assert pixel_distance(*pixels) == exact
    assert ((means[0] - means[1]) ** 2).sum() <= bound_on_means(float(exact)) * (1 + 1e-6) + 1e-6


def test_block_means_of_flat_images_reach_the_bound() -> None:
    flat = [np.full(PIXEL_SHAPE, value, dtype=np.uint8) for value in (10, 30)]
    means = block_means(np.stack([block_sums(p) for p in flat]))
    reached = ((means[0] - means[1]) ** 2).sum()
    assert reached == pytest.approx(bound_on_means(pixel_distance(*flat)))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 60), st.integers(1, 8), st.floats(0, 12))
def test_the_search_finds_the_nearest_and_everything_within_the_bound(
    seed: int, count: int, wanted: int, within: float
) -> None:
    vectors = np.random.default_rng(seed).normal(size=(count, 5)).astype(np.float32)
    found = SearchedVectors.of(vectors).nearest(0, count, count=wanted, within=within)
    for row, neighbours in enumerate(found):
        exact = ((vectors.astype(np.float64) - vectors[row]) ** 2).sum(axis=1)
        exact[row] = np.inf
        order = [int(i) for i in np.argsort(exact, kind="stable")[: count - 1]]
        expected = order[:wanted] + [i for i in order[wanted:] if exact[i] <= within]
        assert set(expected) <= set(neighbours.places.tolist())
        assert neighbours.distances.tolist() == sorted(neighbours.distances.tolist())
        np.testing.assert_allclose(neighbours.distances, exact[neighbours.places])


def test_a_search_in_several_column_blocks_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.random.default_rng(4).normal(size=(300, 9)).astype(np.float32)
    whole = SearchedVectors.of(vectors).nearest(20, 90, count=7, within=4.0)
    monkeypatch.setattr("labeler.core.curation.neighbour_search._COLUMNS", 32)
    parts = SearchedVectors.of(vectors).nearest(20, 90, count=7, within=4.0)
    for one, other in zip(whole, parts, strict=True):
        assert one.places.tolist() == other.places.tolist()


def test_recall_is_the_share_of_the_exact_neighbours() -> None:
    assert recall([np.array([1, 2])], [np.array([2, 3])]) == 0.5
    assert recall([np.array([], dtype=np.int64)], [np.array([], dtype=np.int64)]) == 1


def test_copies_that_were_scaled_or_tinted_have_nearly_the_same_hash() -> None:
    pictures = [picture(seed) for seed in range(6)]
    brighter = np.clip(pictures[2].astype(int) + 12, 0, 255).astype(np.uint8)
    hashes = np.array([perceptual_hash(p) for p in (*pictures, altered(pictures[1], 9, 6))])
    assert similar_hashes(np.append(hashes, perceptual_hash(brighter)), 0, 8) == [(1, 6), (2, 7)]


@settings(max_examples=30)
@given(st.lists(st.integers(0, 2**64 - 1), min_size=2, max_size=20), st.integers(0, 64))
def test_hashes_are_compared_bit_by_bit(values: list[int], most: int) -> None:
    hashes = np.array(values, dtype=np.uint64)
    expected = [
        (i, j)
        for i in range(len(values))
        for j in range(i + 1, len(values))
        if (values[i] ^ values[j]).bit_count() <= most
    ]
    assert similar_hashes(hashes, 0, len(values), most=most) == expected


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 99), st.integers(0, 99), st.sampled_from([0, 3, 40, 255]))
def test_dssim_is_that_of_scikit_image(one: int, other: int, strength: int) -> None:
    first = picture(one, smooth=3)
    second = altered(first, other, strength) if strength < 255 else picture(other)
    reference = structural_similarity(
        first, second, win_size=WINDOW, channel_axis=0, data_range=255
    )
    assert exact_dssim(first, second) == pytest.approx((1 - reference) / 2, abs=1e-5)


def test_the_screening_of_a_group_orders_pairs_like_the_exact_dssim() -> None:
    first = picture(1)
    others = [altered(first, 2, 5), altered(first, 3, 30), picture(4)]
    screened = screened_dssim(screened_group(first[None]), screened_group(np.stack(others)))
    exact = [exact_dssim(first, other) for other in others]
    assert screened.shape == (1, 3)
    np.testing.assert_allclose(screened[0], exact, atol=0.05)
