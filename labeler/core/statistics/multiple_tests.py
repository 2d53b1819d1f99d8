"""Several tests together: Holm's adjustment, and a permutation test of two groups."""

from itertools import combinations
from math import comb

import numpy as np

from labeler.core.statistics.arrays import Reals
from labeler.core.statistics.random_draws import generator, lowest_by_key, random_keys

PERMUTATIONS = 10_000
_SAME = 1e-12


def holm(p_values: Reals) -> Reals:
    """Return the p-values adjusted so that the family's error rate is at most the level."""
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    stepped = p_values[order] * np.arange(count, 0, -1)
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return adjusted


def permutation_p(one: Reals, other: Reals, *, seed: int, times: int = PERMUTATIONS) -> float:
    """Return the two-sided p of the two groups having the same mean.

    All ways to divide the values into groups of these sizes are counted if they are few; otherwise
    random ones, and the observed one counts as one of them.
    """
    values = np.concatenate([one, other])
    observed = abs(float(one.mean() - other.mean()))
    if comb(len(values), len(one)) <= times:
        chosen = np.array(list(combinations(range(len(values)), len(one))))
        sums = values[chosen].sum(axis=1)
        return float(np.mean(_differences(sums, values, len(one)) >= observed - _SAME))
    random = generator(seed, f"permutations of {len(one)} and {len(other)}")
    drawn = lowest_by_key(random_keys(random, of=len(values), times=times), len(one))
    found = _differences(drawn @ values, values, len(one)) >= observed - _SAME
    return float((np.count_nonzero(found) + 1) / (times + 1))


def _differences(sums: Reals, values: Reals, size: int) -> Reals:
    """Return the absolute difference of the group means, from the sums of the first group."""
    return np.asarray(np.abs(sums / size - (values.sum() - sums) / (len(values) - size)))
