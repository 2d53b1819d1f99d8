"""Proportions with their exact Clopper–Pearson intervals."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.arrays import Flags, Reals

# scipy's inverse of the incomplete beta function iterates and evaluates the function about ten
# times. An approximation (Abramowitz and Stegun, 26.5.22) is close enough that a single evaluation
# and the Taylor series of the inverse function, to the fifth power, give all digits. Otherwise
# scipy's inverse is used. In standard deviations: below this, the error of the series is less than
# rounding.
_NEAR = 0.004


def beta_quantiles(a: Reals, b: Reals, share: float) -> Reals:
    """Return the quantile of each beta distribution; a and b are at least 1."""
    # Imported late: scipy takes longer to import than the window takes to open.
    from scipy.special import betainc, betaincinv

    with np.errstate(all="ignore"):
        start = _start(a, b, share)
        step = (share - betainc(a, b, start)) / _density(a, b, start)
        near = np.abs(step) * np.sqrt((a + b) / (start * (1.0 - start))) < _NEAR
        found = start + _series(a, b, start, step)
    far = ~near
    if far.any():
        found[far] = betaincinv(a[far], b[far], share)
    return found


def _start(a: Reals, b: Reals, share: float) -> Reals:
    normal = -float(to_probit(share))
    one, other = 1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0)
    mean = 2.0 / (one + other)
    curvature = (normal * normal - 3.0) / 6.0
    skew = (other - one) * (curvature + 5.0 / 6.0 - 2.0 / (3.0 * mean))
    return a / (a + b * np.exp(2.0 * (normal * np.sqrt(mean + curvature) / mean - skew)))


def _density(a: Reals, b: Reals, x: Reals) -> Reals:
    from scipy.special import betaln  # imported late, as above

    return np.asarray(np.exp((a - 1.0) * np.log(x) + (b - 1.0) * np.log1p(-x) - betaln(a, b)))


def _series(a: Reals, b: Reals, x: Reals, step: Reals) -> Reals:
    """Evaluate the series of the inverse; g1 … g4 are derivatives of the log density."""
    below, above = 1.0 / x, 1.0 / (1.0 - x)
    left, right = (a - 1.0) * below, (b - 1.0) * above
    g1 = left - right
    left, right = left * below, right * above
    g2 = -left - right
    left, right = 2.0 * left * below, 2.0 * right * above
    g3 = left - right
    g4 = -3.0 * (left * below + right * above)
    second = -g1
    third = 2.0 * g1 * g1 - g2
    fourth = -g3 + 7.0 * g1 * g2 - 6.0 * g1**3
    fifth = -g4 + 7.0 * g2 * g2 + 11.0 * g1 * g3 - 46.0 * g1 * g1 * g2 + 24.0 * g1**4
    tail = fourth / 24.0 + step * fifth / 120.0
    return step * (1.0 + step * (second / 2.0 + step * (third / 6.0 + step * tail)))


def is_zero_or_one(correct: npt.ArrayLike, total: npt.ArrayLike) -> Flags:
    """Return which accuracies are 0 or 1, for which the probit is infinite."""
    hits, of = np.asarray(correct), np.asarray(total)
    return np.asarray((hits == 0) | (hits == of))


def probits(correct: npt.ArrayLike, total: npt.ArrayLike) -> Reals:
    """Return the probit of each accuracy; 0 and 1 enter as (k + ½)/(n + 1)."""
    hits, of = np.asarray(correct, float), np.asarray(total, float)
    shares = np.where(is_zero_or_one(hits, of), (hits + 0.5) / (of + 1.0), hits / of)
    return to_probit(shares)


def to_probit(shares: npt.ArrayLike) -> Reals:
    from scipy.special import ndtri  # imported late, as above

    return np.asarray(ndtri(shares))


INTERVAL_LEVEL = 0.95


class ProportionIntervals(NamedTuple):
    """The bounds of many intervals."""

    low: Reals
    high: Reals


def clopper_pearson(
    correct: npt.ArrayLike, total: npt.ArrayLike, *, level: float = INTERVAL_LEVEL
) -> ProportionIntervals:
    """Return the exact interval of each proportion; 0 of n starts at 0, n of n ends at 1."""
    hits, of = np.broadcast_arrays(np.asarray(correct, float), np.asarray(total, float))
    tail = (1.0 - level) / 2.0
    # The upper bound for correct answers is one minus the lower bound for wrong answers.
    right = np.concatenate([hits.ravel(), (of - hits).ravel()])
    low, high = np.split(_lower_ends(right, np.tile(of.ravel(), 2), tail), 2)
    return ProportionIntervals(low.reshape(hits.shape), 1.0 - high.reshape(hits.shape))


def _lower_ends(hits: Reals, of: Reals, tail: float) -> Reals:
    low = np.zeros(hits.shape)
    all_hit, between = (hits == of) & (hits > 0), (hits > 0) & (hits < of)
    low[all_hit] = tail ** (1.0 / of[all_hit])
    low[between] = beta_quantiles(hits[between], (of - hits)[between] + 1.0, tail)
    return low
