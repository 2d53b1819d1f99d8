"""Fits on the raw and the probit scale, against numpy's own and against loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtri

from labeler.core.statistics.linear_fit import BootstrapResampler, fit_line, least_squares
from labeler.core.statistics.proportions import is_zero_or_one, probits

TIMES = 300
points = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=5, max_size=9).filter(
    lambda drawn: len({x for x, _ in drawn}) > 1
)


def test_a_line_by_hand() -> None:
    # Through (0, 1), (1, 2), (2, 6): slope 5/2, intercept 3 - 5/2.
    line = least_squares(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 6.0]))
    assert line is not None
    assert (line.slope, line.intercept) == pytest.approx((2.5, 0.5))


@given(points)
@settings(max_examples=40)
def test_resampled_lines_are_those_of_a_loop(drawn: list[tuple[int, int]]) -> None:
    x, y = (np.array(column) / 50 for column in zip(*drawn, strict=True))
    resampler = BootstrapResampler(points=len(x), seed=5, times=TIMES)
    done = fit_line(x, y, resampler)
    assert done is not None
    slopes, intercepts, degenerate = [], [], 0
    for counts in resampler.counts.astype(int):
        xs, ys = np.repeat(x, counts), np.repeat(y, counts)
        if len(set(xs.tolist())) == 1:
            degenerate += 1
            continue
        slope, intercept = np.polyfit(xs, ys, 1)
        slopes.append(slope)
        intercepts.append(intercept)
    assert done.degenerate == degenerate
    assert done.resamples == TIMES
    assert done.slopes == pytest.approx(np.array(slopes), abs=1e-9)
    assert done.intercepts == pytest.approx(np.array(intercepts), abs=1e-9)
    assert done.slope_ci == pytest.approx(tuple(np.quantile(slopes, [0.025, 0.975])), abs=1e-9)


def test_there_is_no_interval_under_five_points() -> None:
    x = np.array([0.1, 0.2, 0.3, 0.4])
    done = fit_line(x, x, BootstrapResampler(points=4, seed=1, times=TIMES))
    assert done is not None
    assert done.slope_ci is None
    assert done.region(x) is None
    assert done.resamples == 0


@pytest.mark.parametrize("x", [[], [0.5], [0.5, 0.5, 0.5]])
def test_there_is_no_line_through_one_place(x: list[float]) -> None:
    places = np.array(x)
    assert fit_line(places, places, BootstrapResampler(points=len(x), seed=1, times=TIMES)) is None


def test_the_region_holds_the_line_between_the_points() -> None:
    random = np.random.default_rng(2)
    x = np.linspace(0.5, 0.9, 12)
    y = x - 0.1 + random.normal(0, 0.01, 12)
    done = fit_line(x, y, BootstrapResampler(points=12, seed=1, times=2_000))
    assert done is not None
    places = np.array([0.6, 0.7, 0.8])
    region = done.region(places)
    assert region is not None
    low, high = region
    inside = done.line.slope * places + done.line.intercept
    assert (low < inside).all()
    assert (inside < high).all()


def test_the_same_seed_draws_the_same_resamples() -> None:
    one, other = (BootstrapResampler(points=6, seed=9, times=TIMES) for _ in range(2))
    assert (one.counts == other.counts).all()
    assert (one.counts.sum(axis=1) == 6).all()


def test_accuracies_of_nought_and_one_enter_the_probit_scale_half_a_hit_inside() -> None:
    assert is_zero_or_one([0, 3, 10], [10, 10, 10]).tolist() == [True, False, True]
    expected = [ndtri(0.5 / 11), ndtri(0.3), ndtri(10.5 / 11)]
    assert probits([0, 3, 10], [10, 10, 10]) == pytest.approx(expected)
