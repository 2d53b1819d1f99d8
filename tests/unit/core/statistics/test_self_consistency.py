"""Agreement of people with themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from labeler.core.statistics.self_consistency import (
    RepeatedAnswer,
    RepeatedTask,
    self_consistencies,
    self_consistency,
)

PAIRS = st.lists(
    st.builds(
        RepeatedAnswer, st.integers(0, 3), st.integers(0, 3), st.integers(1000, 9999).map(str)
    ),
    min_size=1,
    max_size=40,
)


@given(PAIRS)
def test_the_halves_are_in_time_and_add_up(pairs):
    found = self_consistency("A", RepeatedTask.EVALUATION, pairs)
    assert found.pairs == len(pairs) == found.earlier_pairs + found.later_pairs
    assert found.same == found.earlier_same + found.later_same
    assert 0 <= found.earlier_pairs - found.later_pairs <= 1
    assert found.ci_low <= found.share <= found.ci_high
    assert (found.change is None) == (len(pairs) == 1)


@given(PAIRS.filter(lambda pairs: len(pairs) > 1))
def test_the_p_value_is_that_of_fishers_exact_test(pairs):
    found = self_consistency("A", RepeatedTask.EVALUATION, pairs)
    halves = (
        (found.earlier_same, found.earlier_pairs),
        (found.later_same, found.later_pairs),
    )
    table = [[same, total - same] for same, total in halves]
    assert found.p_value == pytest.approx(fisher_exact(table).pvalue)


def test_answers_that_become_less_consistent():
    pairs = [RepeatedAnswer(1, 1 if day < 5 else 2, f"2026-03-0{day + 1}") for day in range(8)]
    found = self_consistency("A", RepeatedTask.FINAL_REVIEW, list(reversed(pairs)))
    assert (found.same, found.earlier_same, found.later_same) == (5, 4, 1)
    assert found.change == pytest.approx(-0.75)


def test_nobody_is_listed_without_repeats():
    assert list(self_consistencies([("A", RepeatedTask.EVALUATION, [])])) == []
