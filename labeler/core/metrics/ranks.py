"""Ranks, the best first."""

import numpy as np

from labeler.core.statistics.arrays import Counts, Reals


def ranks(values: Reals) -> Counts:
    """1 for the largest value; equal ones share the lowest of their ranks, and the next is left."""
    ordered = np.sort(values)
    return len(values) - np.searchsorted(ordered, values, side="right") + 1
