"""Linear fits of the models' new accuracy against their original accuracy, on both scales."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from labeler.core.metrics.accuracy import AccuracyTable
from labeler.core.metrics.definitions import Metric, Scale
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.arrays import Counts, Reals
from labeler.core.statistics.linear_fit import (
    FIT_RESAMPLES,
    MIN_POINTS_FOR_INTERVAL,
    BootstrapResampler,
    FitQuality,
    LineFit,
    fit_line,
    fit_quality,
)
from labeler.core.statistics.proportions import is_zero_or_one, probits

# The subsets for which a figure shows the confidence region.
PLOTTED_SUBSETS = (ALL, "objects")
_REGION_POINTS = 41


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceRegion:
    """The 95 % region of the resampled lines: `low` and `high` at each x."""

    x: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelFit:
    """A fit over the models; `adjusted` are those with accuracy 0 or 1, on the probit scale."""

    metric: Metric
    subset: str
    original: str
    new: str
    scale: Scale
    models: int
    slope: float
    intercept: float
    slope_ci: tuple[float, float] | None
    intercept_ci: tuple[float, float] | None
    resamples: int
    degenerate: int
    adjusted: tuple[str, ...]
    region: ConfidenceRegion | None
    quality: FitQuality

    @property
    def is_shown(self) -> bool:
        """Whether there are enough models for a line to be drawn and listed."""
        return self.models >= MIN_POINTS_FOR_INTERVAL


@lru_cache(maxsize=4)
def _resampler(models: int, seed: int, times: int) -> BootstrapResampler:
    return BootstrapResampler(points=models, seed=seed, times=times)


def clear_resample_cache() -> None:
    """Free the memory of the resamples."""
    _resampler.cache_clear()


def model_fits(
    original: AccuracyTable, new: AccuracyTable, *, seed: int, times: int = FIT_RESAMPLES
) -> Iterator[ModelFit]:
    """Yield a fit for every subset on which the models differ."""
    for column in range(len(original.subsets)):
        both = np.flatnonzero((original.total[:, column] > 0) & (new.total[:, column] > 0))
        models = _FittedModels(original, new, column, both[both >= original.humans])
        resampler = _resampler(len(models.rows), seed, times)
        for scale in Scale:
            x, y = models.values(original, scale), models.values(new, scale)
            found = fit_line(x, y, resampler)
            if found is not None:
                yield models.model_fit(scale, found, x, fit_quality(x, y, found.line))


@dataclass(frozen=True, slots=True)
class _FittedModels:
    """The models with both accuracies on one subset."""

    original: AccuracyTable
    new: AccuracyTable
    column: int
    rows: Counts

    def values(self, table: AccuracyTable, scale: Scale) -> Reals:
        if scale is Scale.LINEAR:
            return np.asarray(table.share[self.rows, self.column])
        return probits(table.correct[self.rows, self.column], table.total[self.rows, self.column])

    def model_fit(self, scale: Scale, found: LineFit, x: Reals, quality: FitQuality) -> ModelFit:
        subset = self.original.subsets[self.column]
        return ModelFit(
            metric=self.original.metric,
            subset=subset,
            original=self.original.dataset,
            new=self.new.dataset,
            scale=scale,
            models=found.points,
            slope=found.line.slope,
            intercept=found.line.intercept,
            slope_ci=found.slope_ci,
            intercept_ci=found.intercept_ci,
            resamples=found.resamples,
            degenerate=found.degenerate,
            adjusted=self._adjusted() if scale is Scale.PROBIT else (),
            region=_region(found, x) if subset in PLOTTED_SUBSETS else None,
            quality=quality,
        )

    def _adjusted(self) -> tuple[str, ...]:
        cells = self.rows, self.column
        extreme = [
            is_zero_or_one(t.correct[cells], t.total[cells]) for t in (self.original, self.new)
        ]
        return tuple(self.original.participants[row] for row in self.rows[extreme[0] | extreme[1]])


def _region(found: LineFit, x: Reals) -> ConfidenceRegion | None:
    margin = 0.1 * float(np.ptp(x))
    points = np.linspace(x.min() - margin, x.max() + margin, _REGION_POINTS)
    bounds = found.region(points)
    if bounds is None:
        return None
    return ConfidenceRegion(*(tuple(values.tolist()) for values in (points, *bounds)))
