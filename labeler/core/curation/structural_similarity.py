"""DSSIM = (1 − SSIM)/2 with a uniform window of 35, from integer sums, and a fast screening."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeler.core.curation.fingerprints import PIXEL_SHAPE, SIDE, Pixels

WINDOW = 35
_PLACES = SIDE - WINDOW + 1
_WINDOW_PIXELS = WINDOW**2
_SAMPLE = np.float32(_WINDOW_PIXELS / (_WINDOW_PIXELS - 1))
_MIDDLE = 128
_C1, _C2 = np.float32((0.01 * 255) ** 2), np.float32((0.03 * 255) ** 2)

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class WindowMoments:
    """An image's pixels around zero, with the mean and the variance of every window.

    `offset` is the mean of the pixels around zero, `level` that of the pixels themselves.
    """

    centred: NDArray[np.int16]
    offset: Numbers
    level: Numbers
    variance: Numbers

    @classmethod
    def empty(cls) -> "WindowMoments":
        centred = np.empty(PIXEL_SHAPE, dtype=np.int16)
        return cls(centred, _window_array(), _window_array(), _window_array())


class DssimComparer:
    """Computes exact DSSIM. The arrays are reused, so each thread needs a comparer of its own.

    New arrays for each pair would take as much time as the arithmetic.
    """

    def __init__(self) -> None:
        self._product = np.empty(PIXEL_SHAPE, dtype=np.int16)
        self._sums = _WindowSums()
        self._one, self._other, self._third = (_window_array() for _ in range(3))

    def moments(self, pixels: Pixels, *, out: WindowMoments | None = None) -> WindowMoments:
        """Return what a comparison needs of one image, in `out` if that is given."""
        found = WindowMoments.empty() if out is None else out
        # Variances don't depend on the offset, and smaller numbers are rounded less.
        np.subtract(pixels, _MIDDLE, out=found.centred, dtype=np.int16)
        self._sums.mean(found.centred, out=found.offset)
        np.add(found.offset, np.float32(_MIDDLE), out=found.level)
        np.multiply(found.centred, found.centred, out=self._product)
        self._sums.mean(self._product, out=found.variance)
        found.variance[:] -= np.multiply(found.offset, found.offset, out=self._one)
        found.variance[:] *= _SAMPLE
        return found

    def dssim(self, one: WindowMoments, other: WindowMoments) -> float:
        """Return the structural dissimilarity, 0 for equal images."""
        ratio, factor, term = self._one, self._other, self._third
        # E(xy) − E(x)E(y) of pixels around zero, which is that of the pixels themselves.
        np.multiply(one.centred, other.centred, out=self._product)
        self._sums.mean(self._product, out=ratio)
        ratio -= np.multiply(one.offset, other.offset, out=factor)
        ratio *= 2 * _SAMPLE
        ratio += _C2
        np.multiply(one.level, other.level, out=factor)
        factor *= 2
        factor += _C1
        ratio *= factor
        np.multiply(one.level, one.level, out=factor)
        factor += np.multiply(other.level, other.level, out=term)
        factor += _C1
        np.add(one.variance, other.variance, out=term)
        term += _C2
        factor *= term
        ratio /= factor
        return float((1 - ratio.mean(dtype=np.float64)) / 2)


class _WindowSums:
    """Sums of every window inside an image, in whole numbers: exact.

    Across by differences of running sums, down by doubling: 35 rows are 16 + 16 + 3.
    """

    def __init__(self) -> None:
        self._whole, self._running = (np.empty(PIXEL_SHAPE, dtype=np.int32) for _ in range(2))
        wide = (3, SIDE, _PLACES)
        self._across, self._odd, self._even = (np.empty(wide, dtype=np.int32) for _ in range(3))
        self._found = np.empty((3, _PLACES, _PLACES), dtype=np.int32)

    def mean(self, numbers: NDArray[np.int16], *, out: Numbers) -> None:
        """Write the mean of every window of 35 × 35 numbers."""
        self._add_across(numbers)
        rows = self._across
        two = np.add(rows[:, :-1], rows[:, 1:], out=self._odd[:, : SIDE - 1])
        np.add(two[:, 32 : 32 + _PLACES], rows[:, 34 : 34 + _PLACES], out=self._found)
        four = np.add(two[:, :-2], two[:, 2:], out=self._even[:, : SIDE - 3])
        eight = np.add(four[:, :-4], four[:, 4:], out=self._odd[:, : SIDE - 7])
        sixteen = np.add(eight[:, :-8], eight[:, 8:], out=self._even[:, : SIDE - 15])
        self._found += sixteen[:, :_PLACES]
        self._found += sixteen[:, 16 : 16 + _PLACES]
        np.multiply(self._found, np.float32(1 / _WINDOW_PIXELS), out=out, casting="unsafe")

    def _add_across(self, numbers: NDArray[np.int16]) -> None:
        # Converting first is several times as fast as a running sum that converts.
        np.copyto(self._whole, numbers)
        running = np.cumsum(self._whole, axis=2, out=self._running)
        self._across[:, :, 0] = running[:, :, WINDOW - 1]
        np.subtract(running[:, :, WINDOW:], running[:, :, :-WINDOW], out=self._across[:, :, 1:])


def _window_array() -> Numbers:
    return np.empty((3, _PLACES, _PLACES), dtype=np.float32)


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
    # Rearranged as bytes, which moves a quarter of the memory.
    centred = tiles.reshape(3 * _GRID**2, count, _TILE_PIXELS).astype(np.float32)
    centred -= _MIDDLE
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
