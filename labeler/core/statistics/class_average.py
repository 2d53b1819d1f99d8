"""Accuracies averaged per class, with bootstrap intervals: they are no binomial proportions."""

from typing import NamedTuple

import numpy as np

from labeler.core.statistics.arrays import Reals
from labeler.core.statistics.class_resampling import ClassCounts
from labeler.core.statistics.proportions import INTERVAL_LEVEL
from labeler.core.statistics.random_draws import generator, percentiles, resample_counts

CLASS_AVERAGE_RESAMPLES = 2_000


class ClassAverages(NamedTuple):
    """Of each participant: the mean of the class accuracies and the ends of its interval."""

    mean: Reals
    low: Reals
    high: Reals


def class_average(
    counts: ClassCounts, *, seed: int, times: int = CLASS_AVERAGE_RESAMPLES
) -> ClassAverages:
    """The mean over the classes, which are what is resampled; all have an answer of everybody.

    A class of one image can't be resampled within itself, so classes are drawn whole.
    """
    shares = counts.correct / counts.total
    classes = shares.shape[1]
    random = generator(seed, f"class averages over {classes}")
    drawn = resample_counts(random, of=classes, times=times)
    low, high = percentiles(drawn.astype(float) @ shares.T / classes, INTERVAL_LEVEL)
    return ClassAverages(np.asarray(shares.mean(axis=1)), low, high)
