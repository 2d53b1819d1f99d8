"""Whether two participants err on the same images more often than by chance."""

from dataclasses import dataclass

import numpy as np

from labeler.core.statistics.arrays import Flags, Reals
from labeler.core.statistics.packed_flags import common_counts


@dataclass(frozen=True, slots=True)
class ErrorConsistencyTable:
    """By pair: common images, observed agreement, agreement by chance, and kappa.

    Kappa is NaN where it is undefined: no image in common, or both always right or wrong.
    """

    images: Reals
    observed: Reals
    expected: Reals
    kappa: Reals


def error_consistency(
    *, correct: Flags, answered: Flags, other_correct: Flags, other_answered: Flags
) -> ErrorConsistencyTable:
    """Compare every row with every row of the others (Geirhos et al. 2020)."""
    right, wrong = correct & answered, ~correct & answered
    other_right, other_wrong = other_correct & other_answered, ~other_correct & other_answered
    both = common_counts(answered, other_answered).astype(float)
    alike = common_counts(right, other_right) + common_counts(wrong, other_wrong)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = alike / both
        one = common_counts(right, other_answered) / both
        other = common_counts(answered, other_right) / both
        expected = one * other + (1 - one) * (1 - other)
        kappa = np.where(expected < 1.0, (observed - expected) / (1 - expected), np.nan)
    return ErrorConsistencyTable(both, observed, expected, kappa)
