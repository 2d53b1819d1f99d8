"""The difficulty model reproduces the datasets it was made from, and says when it can't."""

from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from labeler.core.curation.built_analyses import (
    ModelCount,
    compare_on_models,
    difficulty_model,
    difficulty_models,
    model_changes,
)


@given(st.floats(0.05, 5), st.floats(-3, 3))
def test_the_difficulty_of_the_new_dataset_is_recovered(sigma: float, mu: float) -> None:
    u = sqrt(2) / sqrt(sigma**2 + 1)
    v = -mu / sqrt(sigma**2 + 1)
    found = difficulty_model("old", "new", u=u, v=v)
    assert found.sigma_new is not None
    assert found.mu_new is not None
    assert isclose(found.sigma_new, sigma, abs_tol=1e-6)
    assert isclose(found.mu_new, mu, abs_tol=1e-6)


@pytest.mark.parametrize("u", [1.5, sqrt(2) + 1e-9, 0.0, -1.0])
def test_a_slope_that_no_spread_explains_is_undefined(u: float) -> None:
    found = difficulty_model("old", "new", u=u, v=0.3)
    assert (found.u, found.v, found.sigma_new, found.mu_new) == (u, 0.3, None, None)


def count(model: str, dataset: str, correct: int, total: int = 100) -> ModelCount:
    return ModelCount(participant=model, dataset=dataset, correct=correct, total=total)


def test_models_are_ranked_on_both_datasets_and_compared() -> None:
    counts = [
        *(count("a", "old", 80), count("a", "new", 60)),
        *(count("b", "old", 70), count("b", "new", 65)),
        *(count("c", "old", 70), count("c", "new", 50)),
        count("only old", "old", 99),
    ]
    changes = model_changes(counts, original="old", new="new")
    assert [(c.participant, c.rank_original, c.rank_new) for c in changes] == [
        ("a", 1, 2),
        ("b", 2, 1),
        ("c", 2, 3),
    ]
    assert changes[0].gap == pytest.approx(0.2)
    compared = compare_on_models(counts, original="old", new="new")
    assert compared is not None
    assert compared.models == 3
    assert compared.mean_change == pytest.approx(-0.15)


def test_the_probit_line_of_exact_models_has_the_slope_they_were_made_with() -> None:
    counts = []
    for number, skill in enumerate((-0.5, 0.0, 0.5, 1.0, 1.5)):
        old, new = skill / sqrt(2), (skill - 0.4) / sqrt(1.5)
        counts += [
            count(str(number), "old", round(1e9 * norm.cdf(old)), 10**9),
            count(str(number), "new", round(1e9 * norm.cdf(new)), 10**9),
        ]
    compared = compare_on_models(counts, original="old", new="new")
    assert compared is not None
    [found] = difficulty_models([compared])
    assert found.sigma_new == pytest.approx(sqrt(0.5), abs=1e-6)
    assert found.mu_new == pytest.approx(0.4, abs=1e-6)


def test_one_model_has_a_change_and_no_line() -> None:
    compared = compare_on_models(
        [count("a", "old", 80), count("a", "new", 60)], original="old", new="new"
    )
    assert compared is not None
    assert compared.probit_slope is None
    assert difficulty_models([compared]) == ()
