"""Bootstrap the difference between two accuracies that were measured on different images.

Images are resampled within each dataset. Where both datasets have the same classes in equal
numbers, whole classes are drawn, the same in both datasets: a class that is hard in one tends to be
hard in the other, and separate draws would miss that. Every participant gets the same draws, so
differences between participants are paired by image.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.arrays import Counts, Flags, Reals
from labeler.core.statistics.proportions import INTERVAL_LEVEL, clopper_pearson
from labeler.core.statistics.random_draws import SmallCounts, generator, resample_counts

GAP_RESAMPLES = 10_000
# Larger datasets are resampled as this many random groups of images, which is as accurate and
# needs the same time for any number of images.
MAX_UNITS = 2_000
_BLOCK = 500  # resamples at a time

Sums = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class ResamplingUnits:
    """The unit of each image in both datasets; `joint` units are classes, drawn for both."""

    original: Counts
    new: Counts
    joint: bool


def resampling_units(
    original: Counts, new: Counts, *, original_base: Flags, new_base: Flags, seed: int
) -> ResamplingUnits:
    """Choose classes or images; the arguments are the targets and the base of each dataset."""
    one, other = np.bincount(original[original_base]), np.bincount(new[new_base])
    if _balanced(one) and _balanced(other) and np.array_equal(np.nonzero(one), np.nonzero(other)):
        number = np.cumsum(one > 0) - 1
        return ResamplingUnits(_looked_up(number, original), _looked_up(number, new), joint=True)
    return ResamplingUnits(
        _image_units(original_base, seed, "original"), _image_units(new_base, seed, "new"), False
    )


def _balanced(counts: Counts) -> bool:
    present = counts[counts > 0]
    return len(present) > 1 and bool((present == present[0]).all())


def _looked_up(number: Counts, targets: Counts) -> Counts:
    """Return each target's unit; classes outside the base belong to no counted image."""
    return np.asarray(number[np.minimum(targets, len(number) - 1)])


def _image_units(base: Flags, seed: int, name: str) -> Counts:
    count = int(np.count_nonzero(base))
    units = np.zeros(len(base), np.int64)
    order = np.arange(count)
    if count > MAX_UNITS:
        order = generator(seed, f"groups of images, {name}").permutation(count) % MAX_UNITS
    units[base] = order
    return units


@dataclass(frozen=True, slots=True, eq=False)
class AnswerCounts:
    """Flags by participant and image of one dataset."""

    correct: Flags
    counted: Flags

    def sums(self, units: Counts, size: int) -> tuple[Sums, Sums]:
        """Return the correct answers and all answers of each participant by unit."""
        return _by_unit(self.correct & self.counted, units, size), _by_unit(
            self.counted, units, size
        )


def _by_unit(flags: Flags, units: Counts, size: int) -> Sums:
    rows = [np.bincount(units[row], minlength=size) for row in flags]
    return np.array(rows, np.float32).reshape(len(flags), size)


@dataclass(frozen=True, slots=True, eq=False)
class ResampledGaps:
    """The gap of each participant, and of each participant in every resample (rows)."""

    gaps: Reals
    drawn: Reals
    correct: Counts
    total: Counts

    def of(self, weights: Reals) -> "GapEstimate":
        """Return the estimate of a weighted sum of gaps."""
        used = np.flatnonzero(weights)
        value = float(self.gaps[used] @ weights[used])
        drawn = self.drawn[:, used] @ weights[used]
        drawn = drawn[~np.isnan(drawn)]
        estimate = _estimate(value, drawn)
        if len(used) == 1 and self._extreme(int(used[0])):
            return self._with_exact_bounds(estimate, int(used[0]), float(weights[used[0]]))
        return estimate

    def _extreme(self, row: int) -> bool:
        """Whether all or no answers in a dataset are right, where resamples don't vary."""
        correct, total = self.correct[:, row], self.total[:, row]
        return bool(((correct == 0) | (correct == total)).any())

    def _with_exact_bounds(self, estimate: "GapEstimate", row: int, weight: float) -> "GapEstimate":
        """Widen the interval by combining the exact bounds of both accuracies."""
        correct, total = self.correct[:, row], self.total[:, row]
        share = correct / total
        interval = clopper_pearson(correct, total)
        below = np.hypot(share[0] - interval.low[0], interval.high[1] - share[1])
        above = np.hypot(interval.high[0] - share[0], share[1] - interval.low[1])
        if weight < 0:
            below, above = above, below
        smoothed = (correct + 1) / (total + 2)
        error = max(
            estimate.standard_error, float(np.sqrt(np.sum(smoothed * (1 - smoothed) / (total + 2))))
        )
        return GapEstimate(
            value=estimate.value,
            low=max(-1.0, min(estimate.low, estimate.value - float(below))),
            high=min(1.0, max(estimate.high, estimate.value + float(above))),
            standard_error=error,
        )


@dataclass(frozen=True, slots=True)
class GapEstimate:
    """A value with its percentile interval and its bootstrap standard error."""

    value: float
    low: float
    high: float
    standard_error: float

    @property
    def p_value(self) -> float:
        """The two-sided p of the value being zero, from the normal distribution."""
        if not self.standard_error:
            return 1.0 if not self.value else 0.0
        from scipy.special import ndtr

        return float(min(1.0, 2.0 * ndtr(-abs(self.value) / self.standard_error)))


def _estimate(value: float, drawn: Reals) -> GapEstimate:
    tail = (1.0 - INTERVAL_LEVEL) / 2.0
    if not len(drawn):
        return GapEstimate(value, -1.0, 1.0, 1.0)
    low, high = np.quantile(drawn, [tail, 1.0 - tail])
    return GapEstimate(value, float(low), float(high), float(drawn.std()))


@dataclass(frozen=True, eq=False)
class GapResampler:
    """Draws the resamples of both datasets once, for all metrics, subsets and participants."""

    units: ResamplingUnits
    original_base: Flags
    new_base: Flags
    seed: int
    times: int = GAP_RESAMPLES

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        sizes = [
            int(units[base].max(initial=-1)) + 1
            for units, base in (
                (self.units.original, self.original_base),
                (self.units.new, self.new_base),
            )
        ]
        return (max(sizes), max(sizes)) if self.units.joint else (sizes[0], sizes[1])

    @cached_property
    def _draws(self) -> tuple[SmallCounts, SmallCounts]:
        one, other = self._sizes
        first = resample_counts(generator(self.seed, "gaps, original"), of=one, times=self.times)
        if self.units.joint:
            return first, first
        return first, resample_counts(generator(self.seed, "gaps, new"), of=other, times=self.times)

    def gaps(self, original: AnswerCounts, new: AnswerCounts) -> ResampledGaps:
        """Return the gaps of all participants; NaN for those without answers in a dataset."""
        (first, first_total), (second, second_total) = (
            counts.sums(units, size)
            for counts, units, size in zip(
                (original, new), (self.units.original, self.units.new), self._sizes, strict=True
            )
        )
        correct = np.array([first.sum(axis=1), second.sum(axis=1)]).astype(np.int64)
        total = np.array([first_total.sum(axis=1), second_total.sum(axis=1)]).astype(np.int64)
        with np.errstate(invalid="ignore"):
            shares = correct / total
        drawn = [
            _shares(one, first, first_total) - _shares(other, second, second_total)
            for one, other in self._blocks()
        ]
        return ResampledGaps(shares[0] - shares[1], np.concatenate(drawn), correct, total)

    def _blocks(self) -> Iterator[tuple[Sums, Sums]]:
        one, other = self._draws
        for start in range(0, self.times, _BLOCK):
            part = slice(start, start + _BLOCK)
            first = one[part].astype(np.float32)
            yield first, first if one is other else other[part].astype(np.float32)


def _shares(draws: Sums, correct: Sums, total: Sums) -> Reals:
    """Return the accuracies of each resample; equal rows of totals are added up once."""
    index_by_row: dict[bytes, int] = {}
    index = [index_by_row.setdefault(row.tobytes(), len(index_by_row)) for row in total]
    first = [index.index(number) for number in range(len(index_by_row))]
    answers = (draws @ total[first].T)[:, index]
    with np.errstate(invalid="ignore"):
        return np.asarray((draws @ correct.T) / answers, np.float64)
