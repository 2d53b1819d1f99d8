"""The probit scale, on which accuracies near 0 and 1 have room."""

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from labeler.core.statistics.arrays import Flags, Reals


def is_zero_or_one(correct: npt.ArrayLike, total: npt.ArrayLike) -> Flags:
    """Which accuracies are 0 or 1, and so have no probit of their own."""
    hits, of = np.asarray(correct), np.asarray(total)
    return np.asarray((hits == 0) | (hits == of))


def probits(correct: npt.ArrayLike, total: npt.ArrayLike) -> Reals:
    """The probit of each accuracy; 0 and 1 enter as (k + ½)/(n + 1)."""
    hits, of = np.asarray(correct, float), np.asarray(total, float)
    shares = np.where(is_zero_or_one(hits, of), (hits + 0.5) / (of + 1.0), hits / of)
    return np.asarray(ndtri(shares))


def from_probit(values: npt.ArrayLike) -> Reals:
    return np.asarray(ndtr(values))


def to_probit(shares: npt.ArrayLike) -> Reals:
    return np.asarray(ndtri(shares))
