"""The one-coin model finds good and bad annotators and the truth behind their answers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.crowd.one_coin import TOLERANCE, ContainsJudgements, estimate_one_coin


def simulated(
    seed: int, accuracies: list[float], pairs: int = 300
) -> tuple[ContainsJudgements, np.ndarray]:
    """Everyone judges every pair; two in five contain the label."""
    random = np.random.default_rng(seed)
    truth = random.random(pairs) < 0.4
    right = random.random((pairs, len(accuracies))) < accuracies
    selected = np.where(right, truth[:, None], ~truth[:, None])
    numbers, people = np.indices(selected.shape)
    return ContainsJudgements(numbers.ravel(), people.ravel(), selected.ravel()), truth


@given(st.integers(0, 20))
def test_accuracies_and_truth_are_found(seed: int) -> None:
    accuracies = [0.95, 0.9, 0.85, 0.8, 0.5]
    given, truth = simulated(seed, accuracies)
    found = estimate_one_coin(given)
    assert found.converged
    assert np.abs(found.accuracies - accuracies).max() < 0.1
    assert np.mean((found.probabilities > 0.5) == truth) > 0.9


def test_an_annotator_who_answers_the_opposite_is_read_the_other_way_round() -> None:
    given, truth = simulated(1, [0.9, 0.9, 0.9, 0.05])
    found = estimate_one_coin(given)
    assert found.accuracies[3] < 0.2
    assert np.mean((found.probabilities > 0.5) == truth) > 0.95


@given(st.permutations(range(60)))
def test_the_order_of_judgements_does_not_matter(order: list[int]) -> None:
    whole, _truth = simulated(2, [0.9, 0.7, 0.6], pairs=20)
    mixed = ContainsJudgements(whole.pairs[order], whole.annotators[order], whole.selected[order])
    a, b = estimate_one_coin(whole), estimate_one_coin(mixed)
    assert np.abs(a.probabilities - b.probabilities).max() < 100 * TOLERANCE


def test_more_steps_change_nothing() -> None:
    given, _truth = simulated(3, [0.9, 0.8, 0.75, 0.55, 0.5])
    found = estimate_one_coin(given)
    assert found.steps > 4
    assert found.converged
