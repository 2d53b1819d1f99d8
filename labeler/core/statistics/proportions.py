"""Proportions with their exact Clopper–Pearson intervals."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.arrays import Reals
from labeler.core.statistics.beta_quantiles import beta_quantiles

INTERVAL_LEVEL = 0.95


class ProportionIntervals(NamedTuple):
    """The ends of many intervals."""

    low: Reals
    high: Reals


def clopper_pearson(
    correct: npt.ArrayLike, total: npt.ArrayLike, *, level: float = INTERVAL_LEVEL
) -> ProportionIntervals:
    """The exact interval of each proportion; 0 of n begins at 0, n of n ends at 1."""
    hits, of = np.broadcast_arrays(np.asarray(correct, float), np.asarray(total, float))
    tail = (1.0 - level) / 2.0
    # What is wrong is counted like what is right, seen from the other end.
    right = np.concatenate([hits.ravel(), (of - hits).ravel()])
    low, high = np.split(_lower_ends(right, np.tile(of.ravel(), 2), tail), 2)
    return ProportionIntervals(low.reshape(hits.shape), 1.0 - high.reshape(hits.shape))


def _lower_ends(hits: Reals, of: Reals, tail: float) -> Reals:
    low = np.zeros(hits.shape)
    all_hit, between = (hits == of) & (hits > 0), (hits > 0) & (hits < of)
    low[all_hit] = tail ** (1.0 / of[all_hit])
    low[between] = beta_quantiles(hits[between], (of - hits)[between] + 1.0, tail)
    return low
