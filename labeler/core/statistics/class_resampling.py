"""Is a subset of classes special, or would any as many classes differ as much?

As many classes as the subset has are drawn from those present, without replacement, many times.
Counted is how often their accuracy is as far from that of all images as the subset's, or
farther, in the same direction.
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
    """By participant and class: how many answers were correct, of how many."""

    correct: Counts
    total: Counts


@dataclass(frozen=True, slots=True)
class ClassResamplingResult:
    """Of each participant: the subset's change, and how many trials came at least as far."""

    change: Reals
    at_least_as_large: Counts
    trials: int

    @property
    def p_values(self) -> Reals:
        return np.asarray((self.at_least_as_large + 1.0) / (self.trials + 1.0), np.float64)


def class_resampling(counts: ClassCounts, subset: Flags, lots: RandomKeys) -> ClassResamplingResult:
    """Test a subset of the classes present, which all participants must have answered alike.

    `lots` gives each class a lot, one row a trial: a trial takes the classes with the lowest, so
    that the same lots serve every subset and every participant.
    """
    drawn = lowest_by_key(lots, int(np.count_nonzero(subset)))
    in_trials = _sums(drawn, counts)
    sums = counts.correct[:, subset].sum(axis=1), counts.total[:, subset].sum(axis=1)
    overall = counts.correct.sum(axis=1), counts.total.sum(axis=1)
    # Fractions are compared as whole numbers: a tie is a tie.
    direction = np.sign(sums[0] * overall[1] - overall[0] * sums[1])
    differ = in_trials.correct * sums[1] - in_trials.total * sums[0]
    change = sums[0] / sums[1] - overall[0] / overall[1]
    return ClassResamplingResult(change, _as_far(differ, direction), len(lots))


def mean_resampling(counts: ClassCounts, subset: Flags, lots: RandomKeys) -> ClassResamplingResult:
    """The same for the mean of the participants' accuracies, as if of one participant."""
    drawn = lowest_by_key(lots, int(np.count_nonzero(subset)))
    sums = _sums(drawn, counts)
    in_trials = (sums.correct / sums.total).mean(axis=1)
    of_subset = counts.correct[:, subset].sum(axis=1) / counts.total[:, subset].sum(axis=1)
    of_all = counts.correct.sum(axis=1) / counts.total.sum(axis=1)
    change = np.array([of_subset.mean() - of_all.mean()])
    differ = in_trials[:, None] - of_subset.mean()
    return ClassResamplingResult(
        change, _as_far(_settled(differ), np.sign(_settled(change))), len(lots)
    )


def _sums(drawn: Flags, counts: ClassCounts) -> ClassCounts:
    """Of each trial, by participant: all sums, each different one computed once."""
    values = np.concatenate([counts.correct, counts.total])
    places: dict[bytes, int] = {}
    place = [places.setdefault(row.tobytes(), len(places)) for row in values]
    first = [place.index(number) for number in range(len(places))]
    sums = drawn_sums(drawn, values[first])[:, place]
    return ClassCounts(*np.split(sums, 2, axis=1))


def _settled(values: Reals) -> Reals:
    """What is nothing but rounding is nothing."""
    return np.where(np.abs(values) < _SAME, 0.0, values)


def _as_far(differ: Reals | Counts, direction: Reals | Counts) -> Counts:
    """How many trials lie on the change's side of it; every one does where nothing changed."""
    return np.asarray(np.count_nonzero(differ * direction >= 0, axis=0))


CLASS_AVERAGE_RESAMPLES = 2_000


class ClassAverages(NamedTuple):
    """Of each participant: the mean of the class accuracies and the ends of its interval."""

    mean: Reals
    low: Reals
    high: Reals


def class_average(
    counts: ClassCounts, *, seed: int, times: int = CLASS_AVERAGE_RESAMPLES
) -> ClassAverages:
    """The mean over the classes, which are what is resampled; all have an answer of everyone.

    A class of one image can't be resampled within itself, so classes are drawn whole.
    """
    shares = counts.correct / counts.total
    classes = shares.shape[1]
    random = generator(seed, f"class averages over {classes}")
    drawn = resample_counts(random, of=classes, times=times)
    low, high = percentiles(drawn.astype(float) @ shares.T / classes, INTERVAL_LEVEL)
    return ClassAverages(np.asarray(shares.mean(axis=1)), low, high)
