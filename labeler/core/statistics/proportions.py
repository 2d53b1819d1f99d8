"""Proportions with their exact Clopper–Pearson intervals."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from labeler.core.statistics.arrays import Reals

LEVEL = 0.95


class Interval(NamedTuple):
    """The ends of many intervals."""

    low: Reals
    high: Reals


def clopper_pearson(
    correct: npt.ArrayLike, total: npt.ArrayLike, *, level: float = LEVEL
) -> Interval:
    """The exact interval of each proportion; 0 of n begins at 0, n of n ends at 1."""
    hits, of = np.broadcast_arrays(np.asarray(correct, float), np.asarray(total, float))
    tail = (1.0 - level) / 2.0
    low, high = np.zeros(hits.shape), np.ones(hits.shape)
    some, not_all = hits > 0, hits < of
    low[some] = betaincinv(hits[some], of[some] - hits[some] + 1, tail)
    high[not_all] = betaincinv(hits[not_all] + 1, of[not_all] - hits[not_all], 1.0 - tail)
    return Interval(low, high)
