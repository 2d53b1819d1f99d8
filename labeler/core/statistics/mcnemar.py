"""The exact two-sided McNemar test."""

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.arrays import Reals


def mcnemar_p(only_a: npt.ArrayLike, only_b: npt.ArrayLike) -> Reals:
    """Return twice the binomial tail of the rarer discordance, at most 1; 1 without discordance."""
    # Imported late: scipy takes longer to import than the window takes to open.
    from scipy.special import betainc

    a, b = np.asarray(only_a, float), np.asarray(only_b, float)
    # The binomial distribution as an incomplete beta function, which is defined for 0 of 0.
    more, fewer = np.maximum(np.maximum(a, b), 1.0), np.minimum(a, b)
    tail = np.where(a + b > 0, betainc(more, fewer + 1.0, 0.5), 1.0)
    return np.asarray(np.minimum(1.0, 2.0 * tail))
