"""Shuffled labels are distinguished from a model's, however weak the model and however few the
images."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labeler.core.models.prediction_order import label_alignment

KINDS = np.array([1] * 410 + [0] * 590)


def weak_labels(targets: np.ndarray, *, right: float, rng: np.random.Generator) -> np.ndarray:
    """Labels of a model that often errs, but seldom takes an organism for an object."""
    wrong = np.where(KINDS[targets] == 1, rng.integers(0, 410, len(targets)), 700)
    return np.where(rng.random(len(targets)) < right, targets, wrong)


@given(seed=st.integers(0, 10_000), images=st.sampled_from([30, 97, 2000]))
def test_a_permuted_class_order_looks_like_chance(seed: int, images: int) -> None:
    rng = np.random.default_rng(seed)
    targets = rng.integers(0, 1000, images)
    order = rng.permutation(1000)
    # One that keeps a class in place is no clean case.
    assume(not np.any(order == np.arange(1000)))
    labels = order[weak_labels(targets, right=0.7, rng=rng)]
    appearance = label_alignment(targets, labels, KINDS)
    assert appearance.is_chance or appearance.same_kind > appearance.expected_kind * images


@pytest.mark.parametrize("right", [0.0, 0.03, 0.7])
@pytest.mark.parametrize("images", [60, 2000])
def test_a_weak_model_is_no_chance(right: float, images: int) -> None:
    rng = np.random.default_rng(1)
    targets = rng.integers(0, 1000, images)
    assert not label_alignment(targets, weak_labels(targets, right=right, rng=rng), KINDS).is_chance


def test_a_few_images_say_nothing() -> None:
    targets = np.arange(29)
    assert not label_alignment(targets, targets + 500, KINDS).is_chance


def test_shuffled_images_look_like_chance() -> None:
    rng = np.random.default_rng(2)
    targets = rng.integers(0, 1000, 3000)
    labels = weak_labels(targets, right=0.8, rng=rng)
    assert not label_alignment(targets, labels, KINDS).is_chance
    assert label_alignment(rng.permutation(targets), labels, KINDS).is_chance


def test_no_images_at_all_are_no_chance() -> None:
    nothing = np.array([], np.int64)
    assert not label_alignment(nothing, nothing, KINDS).is_chance
