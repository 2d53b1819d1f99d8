"""Intervals, tests and ranks, against published values and slow exact arithmetic."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.metrics.gaps import ranks
from labeler.core.statistics.error_consistency import error_consistency
from labeler.core.statistics.mcnemar import mcnemar_p
from labeler.core.statistics.proportions import clopper_pearson

counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def tail(share: float, total: int, hits: range) -> float:
    """The probability of that many hits, term by term."""
    return sum(comb(total, k) * share**k * (1 - share) ** (total - k) for k in hits)


@pytest.mark.parametrize(
    ("correct", "low", "high"), [(829, 81.8, 86.5), (921, 91.9, 95.0), (957, 96.0, 98.2)]
)
def test_the_papers_intervals_follow_from_its_counts(correct: int, low: float, high: float) -> None:
    interval = clopper_pearson([correct], [984])
    assert round(100 * float(interval.low[0]), 1) == low
    assert round(100 * float(interval.high[0]), 1) == high


@given(counts)
def test_each_end_leaves_a_tail_of_two_and_a_half_percent(count: tuple[int, int]) -> None:
    correct, total = count
    interval = clopper_pearson(correct, total)
    low, high = float(interval.low), float(interval.high)
    assert low <= correct / total <= high
    if correct == 0:
        assert low == 0.0
    else:
        assert tail(low, total, range(correct, total + 1)) == pytest.approx(0.025, rel=1e-9)
    if correct == total:
        assert high == 1.0
    else:
        assert tail(high, total, range(correct + 1)) == pytest.approx(0.025, rel=1e-9)


def test_one_image_answered_wrong_or_right_says_little() -> None:
    # (0.025 of the mass in one trial: 1 - p = 0.025 and p = 0.025)
    interval = clopper_pearson([0, 1], [1, 1])
    assert interval.low == pytest.approx([0.0, 0.025])
    assert interval.high == pytest.approx([0.975, 1.0])


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_binomial_test(a: int, b: int) -> None:
    rarer = Fraction(sum(comb(a + b, k) for k in range(min(a, b) + 1)), 2 ** (a + b))
    exact = float(min(Fraction(1), 2 * rarer))
    assert float(mcnemar_p(a, b)) == pytest.approx(exact, abs=1e-12)


def test_mcnemar_by_hand() -> None:
    # None discordant: 1. One against five: 2 · (1 + 6)/64. As many on both sides: 1.
    assert mcnemar_p([0, 1, 3], [0, 5, 3]) == pytest.approx([1.0, 0.21875, 1.0])


def test_equal_accuracies_share_the_lowest_rank() -> None:
    assert ranks(np.array([0.7, 0.9, 0.7, 0.5])).tolist() == [2, 1, 2, 4]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_a_rank_is_one_more_than_the_number_of_better_ones(values: list[int]) -> None:
    slow = [1 + sum(other > value for other in values) for value in values]
    assert ranks(np.array(values, float)).tolist() == slow


def test_error_consistency_by_hand() -> None:
    # Five images, the last of which the model didn't answer. On the four in common the human is
    # right on 3, the model on 2, both alike on 3: observed ¾, by chance ¾·½ + ¼·½ = ½, kappa ½.
    human, model = [True, True, True, False, True], [True, True, False, False, False]
    done = error_consistency(
        correct=np.array([human]),
        answered=np.ones((1, 5), bool),
        other_correct=np.array([model]),
        other_answered=np.array([[True, True, True, True, False]]),
    )
    assert done.images[0, 0] == 4
    assert done.observed[0, 0] == pytest.approx(0.75)
    assert done.kappa[0, 0] == pytest.approx(0.5)


def test_two_who_are_always_right_have_no_error_consistency() -> None:
    right = np.ones((1, 3), bool)
    done = error_consistency(
        correct=right, answered=right, other_correct=right, other_answered=right
    )
    assert done.observed[0, 0] == 1.0
    assert np.isnan(done.kappa[0, 0])
