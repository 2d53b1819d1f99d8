"""Least-squares lines with percentile-bootstrap intervals and regions."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from labeler.core.statistics.arrays import Reals
from labeler.core.statistics.proportions import INTERVAL_LEVEL
from labeler.core.statistics.random_draws import (
    SmallCounts,
    generator,
    percentiles,
    resample_counts,
)

FIT_RESAMPLES = 100_000
MIN_POINTS_FOR_INTERVAL = 5
_BLOCK = 800  # resamples at a time, which fit the processor cache
# A smaller relative spread is a rounding error: all drawn points have the same x.
_NO_SPREAD = 1e-13


@dataclass(frozen=True, slots=True)
class RegressionLine:
    slope: float
    intercept: float


@dataclass(frozen=True, slots=True, eq=False)
class LineFit:
    """A line through points, with intervals if there are enough points.

    `slopes` and `intercepts` are those of the non-degenerate resamples.
    """

    points: int
    line: RegressionLine
    slope_ci: tuple[float, float] | None
    intercept_ci: tuple[float, float] | None
    resamples: int
    degenerate: int
    slopes: Reals
    intercepts: Reals

    def region(self, x: Reals) -> tuple[Reals, Reals] | None:
        """Return the bounds of the resampled lines at each x."""
        if self.slope_ci is None:
            return None
        at = (percentiles(self.slopes * value + self.intercepts, INTERVAL_LEVEL) for value in x)
        low, high = zip(*at, strict=True)
        return np.array(low), np.array(high)


@dataclass(frozen=True)
class BootstrapResampler:
    """Draws the resamples once for all fits over the same number of points."""

    points: int
    seed: int
    times: int = FIT_RESAMPLES

    @cached_property
    def counts(self) -> SmallCounts:
        random = generator(self.seed, f"fits over {self.points}")
        return resample_counts(random, of=self.points, times=self.times)


def least_squares(x: Reals, y: Reals) -> RegressionLine | None:
    """Return the line, or None if all points have the same x."""
    slopes, intercepts = _lines(np.ones((1, len(x))), x, y)
    if np.isnan(slopes[0]):
        return None
    return RegressionLine(float(slopes[0]), float(intercepts[0]))


@dataclass(frozen=True, slots=True)
class FitQuality:
    """Correlation, share of explained variance, and standard errors; None where undefined."""

    r: float | None
    r_squared: float | None
    slope_error: float | None
    residual_error: float | None


def fit_quality(x: Reals, y: Reals, line: RegressionLine) -> FitQuality:
    """Return how well the line fits; two points leave nothing to estimate an error from."""
    spread_x, spread_y = float(((x - x.mean()) ** 2).sum()), float(((y - y.mean()) ** 2).sum())
    residuals = float(((y - line.slope * x - line.intercept) ** 2).sum())
    r = None
    if spread_x > _NO_SPREAD and spread_y > _NO_SPREAD:
        r = float(((x - x.mean()) * (y - y.mean())).sum() / np.sqrt(spread_x * spread_y))
        r = max(-1.0, min(1.0, r))
    if len(x) < 3:
        return FitQuality(r, None if r is None else r * r, None, None)
    error = float(np.sqrt(residuals / (len(x) - 2)))
    return FitQuality(r, None if r is None else r * r, error / float(np.sqrt(spread_x)), error)


def fit_line(x: Reals, y: Reals, resampler: BootstrapResampler) -> LineFit | None:
    """Fit a line through the points, with intervals if there are at least five."""
    line = least_squares(x, y) if len(x) > 1 else None
    if line is None:
        return None
    if len(x) < MIN_POINTS_FOR_INTERVAL:
        return LineFit(len(x), line, None, None, 0, 0, np.empty(0), np.empty(0))
    slopes, intercepts = _resampled(x, y, resampler)
    valid = ~np.isnan(slopes)
    slopes, intercepts = slopes[valid], intercepts[valid]
    return LineFit(
        points=len(x),
        line=line,
        slope_ci=_interval(slopes),
        intercept_ci=_interval(intercepts),
        resamples=resampler.times,
        degenerate=int(np.count_nonzero(~valid)),
        slopes=slopes,
        intercepts=intercepts,
    )


def _resampled(x: Reals, y: Reals, resampler: BootstrapResampler) -> tuple[Reals, Reals]:
    counts = resampler.counts
    slopes, intercepts = np.empty(len(counts)), np.empty(len(counts))
    for start in range(0, len(counts), _BLOCK):
        part = slice(start, start + _BLOCK)
        slopes[part], intercepts[part] = _lines(counts[part].astype(float), x, y)
    return slopes, intercepts


def _lines(counts: Reals, x: Reals, y: Reals) -> tuple[Reals, Reals]:
    """Return slope and intercept of every resample; NaN where its points share one x."""
    middle, total = float(x.mean()), float(len(x))
    from_middle = x - middle
    features = np.stack([from_middle, y, from_middle * from_middle, from_middle * y], axis=1)
    sx, sy, sxx, sxy = (counts @ features).T
    spread = total * sxx - sx * sx
    lowest = _NO_SPREAD * total * total * float((from_middle**2).max(initial=0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.where(spread > lowest, (total * sxy - sx * sy) / spread, np.nan)
    return slopes, (sy - slopes * sx) / total - slopes * middle


def _interval(values: Reals) -> tuple[float, float]:
    low, high = percentiles(values, INTERVAL_LEVEL)
    return float(low), float(high)
