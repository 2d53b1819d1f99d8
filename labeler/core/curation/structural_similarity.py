"""DSSIM = (1 − SSIM)/2 with a uniform window of 35, from integer sums, and a fast screening."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeler.core.curation.fingerprints import SIDE, Pixels

WINDOW = 35
_WINDOW_PIXELS = WINDOW**2
_SAMPLE = _WINDOW_PIXELS / (_WINDOW_PIXELS - 1)
_MIDDLE = 128
_C1, _C2 = np.float32((0.01 * 255) ** 2), np.float32((0.03 * 255) ** 2)

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class WindowMoments:
    """An image's pixels around zero, with the mean and the variance of every window."""

    centred: NDArray[np.int16]
    mean: Numbers
    variance: Numbers
    squared_mean: Numbers


def window_moments(pixels: Pixels) -> WindowMoments:
    """Return what a comparison needs of one image, once for all its pairs."""
    # Variances don't depend on the offset, and smaller numbers are rounded less.
    centred = pixels.astype(np.int16) - np.int16(_MIDDLE)
    mean = _window_sums(centred) / _WINDOW_PIXELS
    variance = (_window_sums(centred * centred) / _WINDOW_PIXELS - mean**2) * _SAMPLE
    level = mean + _MIDDLE
    return WindowMoments(
        centred,
        level.astype(np.float32),
        variance.astype(np.float32),
        (level**2).astype(np.float32),
    )


def dssim(one: WindowMoments, other: WindowMoments) -> float:
    """Return the exact structural dissimilarity, 0 for equal images."""
    product = _window_sums(one.centred * other.centred).astype(np.float32)
    product *= np.float32(1 / _WINDOW_PIXELS)
    means = one.mean * other.mean
    # E(xy) − E(x)E(y) of centred pixels, with E(x) = mean − 128.
    product -= (one.mean - _MIDDLE) * (other.mean - _MIDDLE)
    product *= np.float32(_SAMPLE)
    above = (2 * means + _C1) * (2 * product + _C2)
    below = (one.squared_mean + other.squared_mean + _C1) * (one.variance + other.variance + _C2)
    above /= below
    return float((1 - above.mean(dtype=np.float64)) / 2)


def _window_sums(numbers: NDArray[np.int16]) -> NDArray[np.int32]:
    """Return the sum of every window inside the image; differences of running sums are exact."""
    down = np.cumsum(numbers, axis=1, dtype=np.int32)
    rows = np.empty((numbers.shape[0], SIDE - WINDOW + 1, SIDE), dtype=np.int32)
    rows[:, 0] = down[:, WINDOW - 1]
    np.subtract(down[:, WINDOW:], down[:, :-WINDOW], out=rows[:, 1:])
    across = np.cumsum(rows, axis=2, dtype=np.int32)
    sums = np.empty((*rows.shape[:2], SIDE - WINDOW + 1), dtype=np.int32)
    sums[:, :, 0] = across[:, :, WINDOW - 1]
    np.subtract(across[:, :, WINDOW:], across[:, :, :-WINDOW], out=sums[:, :, 1:])
    return sums


# Screening: 8 × 8 windows of 32 × 32 pixels that don't overlap, so that all pairs of two groups of
# images are compared by matrix products. The result is near the exact one, not equal to it.
_GRID = 8
_TILE = SIDE // _GRID
_TILE_PIXELS = _TILE**2
# Pairs are computed exactly if their screening is within the limit and this much more.
SCREENING_MARGIN = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class ScreenedGroup:
    """A group of images as tiles: pixels around zero, means and variances."""

    tiles: Numbers
    mean: Numbers
    variance: Numbers


def screened_group(pixels: NDArray[Any]) -> ScreenedGroup:
    """Return the tiles of some images, each of shape (3, 256, 256)."""
    count = len(pixels)
    tiles = pixels.reshape(count, 3, _GRID, _TILE, _GRID, _TILE).transpose(1, 2, 4, 0, 3, 5)
    centred = tiles.reshape(3 * _GRID**2, count, _TILE_PIXELS).astype(np.float32) - _MIDDLE
    mean = centred.mean(axis=2)
    variance = np.einsum("tip,tip->ti", centred, centred) / _TILE_PIXELS - mean**2
    return ScreenedGroup(centred, mean, variance)


def screened_dssim(ones: ScreenedGroup, others: ScreenedGroup) -> Numbers:
    """Return the screening of every pair, a row for each of the first group."""
    covariance = ones.tiles @ others.tiles.transpose(0, 2, 1)
    covariance /= _TILE_PIXELS
    covariance -= ones.mean[:, :, None] * others.mean[:, None, :]
    levels = ones.mean[:, :, None] + _MIDDLE, others.mean[:, None, :] + _MIDDLE
    below = levels[0] ** 2 + levels[1] ** 2 + _C1
    below *= ones.variance[:, :, None] + others.variance[:, None, :] + _C2
    covariance *= 2
    covariance += _C2
    covariance *= 2 * levels[0] * levels[1] + _C1
    covariance /= below
    screened: Numbers = (1 - covariance.mean(axis=0)) / 2
    return screened
