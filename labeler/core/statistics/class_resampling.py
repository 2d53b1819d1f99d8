"""Test whether a subset of classes differs more than a random choice of as many classes.

Each trial draws as many classes as the subset has from those present, without replacement. The
two-sided test counts the trials at or below the subset's accuracy, and those at or above it. The
one-sided test counts the trials whose accuracy differs from that of all images by at least as much
as the subset's, in the same direction. Because the data chooses that direction, the one-sided test
rejects almost twice as often as its level says.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from labeler.core.statistics.arrays import Counts, Flags, Reals
from labeler.core.statistics.packed_flags import drawn_sums
from labeler.core.statistics.proportions import INTERVAL_LEVEL
from labeler.core.statistics.random_draws import (
    RandomKeys,
    generator,
    lowest_by_key,
    percentiles,
    resample_counts,
)

_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """Correct answers and all answers, by participant and class."""

    correct: Counts
    total: Counts


@dataclass(frozen=True, slots=True)
class ClassResamplingResult:
    """By participant: the change of the subset, and how many trials are below or above it.

    `direction` is the sign of the change; a trial that equals the subset is in both counts.
    """

    change: Reals
    direction: Reals
    at_or_below: Counts
    at_or_above: Counts
    trials: int

    @property
    def at_least_as_large(self) -> Counts:
        """The trials that changed at least as much; all of them if the subset didn't change."""
        as_far = np.where(self.direction > 0, self.at_or_above, self.at_or_below)
        return np.where(self.direction == 0, self.trials, as_far)

    @property
    def p_values(self) -> Reals:
        """The one-sided p in the direction of the change."""
        return self._tail(self.at_least_as_large)

    @property
    def p_values_two_sided(self) -> Reals:
        tails = np.minimum(self._tail(self.at_or_below), self._tail(self.at_or_above))
        return np.minimum(1.0, 2.0 * tails)

    def _tail(self, count: Counts) -> Reals:
        return np.asarray((count + 1.0) / (self.trials + 1.0), np.float64)


def class_resampling(counts: ClassCounts, subset: Flags, lots: RandomKeys) -> ClassResamplingResult:
    """Test a subset of the classes; all participants must have answered the same classes.

    `lots` has a random key for each class, one row per trial: a trial takes the classes with the
    lowest keys, so the same keys serve every subset and participant.
    """
    drawn = lowest_by_key(lots, int(np.count_nonzero(subset)))
    in_trials = _sums(drawn, counts)
    sums = counts.correct[:, subset].sum(axis=1), counts.total[:, subset].sum(axis=1)
    overall = counts.correct.sum(axis=1), counts.total.sum(axis=1)
    # Fractions are compared as integers, so that ties are exact.
    direction = np.sign(sums[0] * overall[1] - overall[0] * sums[1])
    differ = in_trials.correct * sums[1] - in_trials.total * sums[0]
    change = sums[0] / sums[1] - overall[0] / overall[1]
    return _result(change, direction, differ)


def mean_resampling(counts: ClassCounts, subset: Flags, lots: RandomKeys) -> ClassResamplingResult:
    """Run the same test for the mean of the participants' accuracies."""
    drawn = lowest_by_key(lots, int(np.count_nonzero(subset)))
    sums = _sums(drawn, counts)
    in_trials = (sums.correct / sums.total).mean(axis=1)
    of_subset = counts.correct[:, subset].sum(axis=1) / counts.total[:, subset].sum(axis=1)
    of_all = counts.correct.sum(axis=1) / counts.total.sum(axis=1)
    change = np.array([of_subset.mean() - of_all.mean()])
    differ = in_trials[:, None] - of_subset.mean()
    return _result(change, np.sign(_settled(change)), _settled(differ))


def _sums(drawn: Flags, counts: ClassCounts) -> ClassCounts:
    """Return the sums of each trial by participant; equal rows are computed once."""
    values = np.concatenate([counts.correct, counts.total])
    index_by_row: dict[bytes, int] = {}
    index = [index_by_row.setdefault(row.tobytes(), len(index_by_row)) for row in values]
    first = [index.index(number) for number in range(len(index_by_row))]
    sums = drawn_sums(drawn, values[first])[:, index]
    return ClassCounts(*np.split(sums, 2, axis=1))


def _settled(values: Reals) -> Reals:
    """Replace rounding errors by zero."""
    return np.where(np.abs(values) < _SAME, 0.0, values)


def _result(
    change: Reals, direction: Reals | Counts, differ: Reals | Counts
) -> ClassResamplingResult:
    """Count the trials; `differ` is each trial's difference from the subset, one row per trial."""
    return ClassResamplingResult(
        change=change,
        direction=direction.astype(np.float64),
        at_or_below=np.asarray(np.count_nonzero(differ <= 0, axis=0)),
        at_or_above=np.asarray(np.count_nonzero(differ >= 0, axis=0)),
        trials=len(differ),
    )


CLASS_AVERAGE_RESAMPLES = 2_000


class ClassAverages(NamedTuple):
    """By participant: the mean of the class accuracies and the bounds of its interval."""

    mean: Reals
    low: Reals
    high: Reals


def class_average(
    counts: ClassCounts, *, seed: int, times: int = CLASS_AVERAGE_RESAMPLES
) -> ClassAverages:
    """Average over the classes and resample them; everyone has an answer in every class.

    A class with one image can't be resampled internally, so whole classes are drawn.
    """
    shares = counts.correct / counts.total
    classes = shares.shape[1]
    random = generator(seed, f"class averages over {classes}")
    drawn = resample_counts(random, of=classes, times=times)
    low, high = percentiles(drawn.astype(float) @ shares.T / classes, INTERVAL_LEVEL)
    return ClassAverages(np.asarray(shares.mean(axis=1)), low, high)
