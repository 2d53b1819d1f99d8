"""Gaps with intervals: against loops, at the edges, and in simulated studies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.statistics.gap_bootstrap import (
    MAX_UNITS,
    AnswerCounts,
    GapResampler,
    resampling_units,
)
from labeler.core.statistics.multiple_tests import holm, permutation_p
from labeler.core.statistics.random_draws import generator, resample_counts
from tests.simulations.gap_study import SCENARIOS, simulate


def _resampler(original, new, *, times=300, seed=3):
    bases = np.ones(len(original), bool), np.ones(len(new), bool)
    units = resampling_units(
        np.asarray(original), np.asarray(new), original_base=bases[0], new_base=bases[1], seed=seed
    )
    return GapResampler(units, *bases, seed=seed, times=times)


def _counts(rows):
    flags = np.array(rows, bool)
    return AnswerCounts(flags, np.ones_like(flags))


def test_classes_are_drawn_jointly_only_if_both_datasets_have_the_same_in_equal_numbers():
    assert _resampler([0, 1, 2], [2, 0, 1]).units.joint
    assert _resampler([0, 0, 1, 1], [1, 0]).units.joint
    assert not _resampler([0, 1, 1], [0, 1]).units.joint
    assert not _resampler([0, 1], [0, 2]).units.joint


def test_images_left_out_later_dont_unbalance_a_balanced_sample():
    resampler = _resampler([0, 1, 2], [0, 1, 2])
    counted = np.array([[True, False, True]])
    found = resampler.gaps(AnswerCounts(counted, counted), _counts([[1, 0, 1]]))
    assert found.total.tolist() == [[2], [3]]
    assert found.gaps[0] == pytest.approx(1 / 3)


@given(st.integers(0, 2**20))
def test_resampled_gaps_are_those_of_a_loop(seed):
    random = np.random.default_rng(seed)
    one, other = random.integers(0, 2, (3, 7)), random.integers(0, 2, (3, 7))
    targets, shuffled = np.arange(7), random.permutation(7)
    found = _resampler(targets, shuffled, times=20, seed=seed).gaps(_counts(one), _counts(other))
    draws = resample_counts(generator(seed, "gaps, original"), of=7, times=20)
    for row, counts in enumerate(draws):
        for person in range(3):
            first = sum(counts[c] * one[person, c] for c in range(7)) / 7
            second = sum(counts[shuffled[i]] * other[person, i] for i in range(7)) / 7
            assert found.drawn[row, person] == pytest.approx(first - second, abs=1e-6)


def test_equal_answers_have_no_difference_in_any_resample():
    random = np.random.default_rng(1)
    rows = random.integers(0, 2, (1, 40)).repeat(2, axis=0)
    found = _resampler(range(40), [0] * 40).gaps(_counts(rows), _counts(rows[:, ::-1]))
    difference = found.of(np.array([1.0, -1.0]))
    assert (difference.low, difference.high, difference.p_value) == (0, 0, 1)


def test_a_perfect_participant_still_has_an_interval():
    right = _counts(np.ones((1, 30)))
    estimate = _resampler(range(30), range(30)).gaps(right, right).of(np.ones(1))
    assert estimate.value == 0
    assert estimate.low < -0.05
    assert estimate.high > 0.05
    assert estimate.p_value == 1


def test_someone_without_answers_has_no_gap_and_changes_no_other():
    counted = np.array([[True] * 6, [False] * 6])
    right = np.array([[True, True, False, True, False, True]] * 2)
    found = _resampler(range(6), range(6)).gaps(AnswerCounts(right, counted), _counts(right))
    assert np.isnan(found.gaps[1])
    assert found.of(np.array([1.0, 0.0])).value == 0


def test_many_images_are_resampled_in_groups_of_nearly_equal_size():
    units = _resampler(np.zeros(4_500, int), np.zeros(10, int)).units.original
    assert set(np.bincount(units)) == {2, 3}
    assert units.max() == MAX_UNITS - 1


@pytest.mark.parametrize("scenario", SCENARIOS[:1] + SCENARIOS[4:5], ids=lambda s: s.name)
def test_intervals_cover_the_true_gap_about_as_often_as_they_should(scenario):
    result = simulate(scenario, studies=200, resamples=400, seed=7)
    assert all(0.89 <= row.coverage <= 0.995 for row in result.outcomes)
    null = [row.rejected for row in result.outcomes if abs(row.truth) < 1e-9]
    assert all(rejected <= 0.11 for rejected in null)


def test_holm_multiplies_in_order_and_never_decreases():
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])).tolist() == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_between_the_raw_p_and_bonferroni(values):
    raw = np.array(values)
    adjusted = holm(raw)
    assert (adjusted >= raw).all()
    assert (adjusted <= np.minimum(1, raw * len(raw)) + 1e-12).all()


def test_the_permutation_test_counts_all_divisions_of_few_participants():
    one, other = np.array([1.0, 2.0, 3.0]), np.array([10.0, 11.0, 12.0])
    assert permutation_p(one, other, seed=1) == pytest.approx(2 / 20)
    assert permutation_p(one, one, seed=1) == 1


def test_random_permutations_agree_with_all_of_them():
    random = np.random.default_rng(5)
    one, other = random.normal(0.4, 1, 7), random.normal(0, 1, 8)
    exact = permutation_p(one, other, seed=1)
    assert permutation_p(one, other, seed=1, times=5_000) == pytest.approx(exact, abs=0.03)
