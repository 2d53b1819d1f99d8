"""Which images of a dataset count: the base, the excluded and the evaluated images."""

from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.study_answers import NO_TIME, DatasetAnswers
from labeler.core.review.verdict_table import VERDICT_CODES
from labeler.core.statistics.arrays import Counts, Flags, Reals
from labeler.core.study.entities import Verdict

FAST_SECONDS = 60.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetImageFacts:
    """Facts by image; `evaluated` are the base images that enter every accuracy.

    `without_correct_label` were judged with no label correct. `seconds` is the median active time
    of the humans who answered, NaN without one.
    """

    base: Flags
    judged: Flags
    correct_labels: Counts
    problematic: Flags
    seconds: Reals

    @property
    def without_correct_label(self) -> Flags:
        return np.asarray(self.judged & (self.correct_labels == 0))

    @property
    def evaluated(self) -> Flags:
        return self.base & ~self.problematic & ~self.without_correct_label


def image_facts(dataset: DatasetAnswers, *, everything: bool = False) -> DatasetImageFacts:
    """Return the facts on the base of the dataset, or on all its images."""
    size = len(dataset.images)
    correct = dataset.judged.states == VERDICT_CODES[Verdict.CORRECT]
    return DatasetImageFacts(
        base=np.ones(size, np.bool_) if everything else base_images(dataset),
        judged=np.bincount(dataset.judged.images, minlength=size) > 0,
        correct_labels=np.bincount(dataset.judged.images[correct], minlength=size),
        problematic=dataset.problematic,
        seconds=median_seconds(dataset.active_ms),
    )


def base_images(dataset: DatasetAnswers) -> Flags:
    """Return the evaluation sample, else the images that a human answered, else all images."""
    if dataset.sampled.any():
        return dataset.sampled
    answered: Flags = np.asarray(dataset.answered_by_humans.any(axis=0))
    return answered if answered.any() else np.ones(len(dataset.images), np.bool_)


def median_seconds(active_ms: Counts) -> Reals:
    """Return each image's median over the humans; the mean of the middle two for an even count."""
    times = np.sort(np.where(active_ms == NO_TIME, np.iinfo(np.int64).max, active_ms), axis=0)
    timed = np.count_nonzero(active_ms != NO_TIME, axis=0)
    if not len(times):
        return np.full(active_ms.shape[1], np.nan)
    lower = np.take_along_axis(times, np.maximum(timed - 1, 0)[None, :] // 2, axis=0)[0]
    upper = np.take_along_axis(times, np.minimum(timed // 2, len(times) - 1)[None, :], axis=0)[0]
    # Halved before adding, because the placeholder of a missing time is the largest integer.
    middle = (lower / 2 + upper / 2) / 1000
    return np.where(timed > 0, middle, np.nan)
