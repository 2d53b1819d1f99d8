"""Seeded random draws, the same for everyone who uses the seed."""

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.arrays import Flags, Reals

RandomKeys = npt.NDArray[np.unsignedinteger]

SmallCounts = npt.NDArray[np.uint16]

_BLOCK = 1 << 16  # draws

# Of 32; more would leave too few random bits.
_MOST_NUMBER_BITS = 11


def generator(seed: int, purpose: str) -> np.random.Generator:
    """Return a separate generator for each purpose, so that draws don't affect each other."""
    words = np.frombuffer(purpose.encode(), np.uint8).tolist()
    return np.random.Generator(np.random.PCG64([abs(seed), *words]))


def resample_counts(random: np.random.Generator, *, of: int, times: int) -> SmallCounts:
    """Count how often each of `of` items is drawn when as many are drawn with replacement.

    Drawing and counting in blocks that fit the processor cache is several times as fast.
    """
    counts = np.empty((times, of), np.uint16)
    block = max(_BLOCK // max(of, 1), 1)
    for start in range(0, times, block):
        rows = counts[start : start + block]
        drawn = random.integers(0, of, size=rows.shape, dtype=np.uint16)
        cells = drawn + (np.arange(len(rows), dtype=np.int64) * of)[:, None]
        rows[:] = np.bincount(cells.ravel(), minlength=rows.size).reshape(rows.shape)
    return counts


def random_keys(random: np.random.Generator, *, of: int, times: int) -> RandomKeys:
    """Return `times` rows of random keys for `of` items; the lowest keys are drawn.

    The last bits of a key are the item's number, so that keys in a row are unique. Small integers
    are drawn and compared several times as fast as fractions.
    """
    bits = max(of - 1, 1).bit_length()
    if bits > _MOST_NUMBER_BITS:
        drawn = random.bit_generator.random_raw(times * of).reshape(times, of)
        drawn &= ~np.uint64((1 << bits) - 1)
        return drawn | np.arange(of, dtype=np.uint64)
    # Half of a raw number is enough; little-endian on every machine.
    raw = random.bit_generator.random_raw((times * of + 1) // 2).astype("<u8", copy=False)
    halves = raw.view("<u4")[: times * of].reshape(times, of)
    halves &= ~np.uint32((1 << bits) - 1)
    halves |= np.arange(of, dtype=np.uint32)
    return halves


def lowest_by_key(keys: RandomKeys, count: int) -> Flags:
    """Return which items have the `count` lowest keys, row by row."""
    if count == keys.shape[1]:
        return np.ones(keys.shape, np.bool_)
    drawn = np.empty(keys.shape, np.bool_)
    block = max(_BLOCK // keys.shape[1], 1)
    for start in range(0, len(keys), block):
        rows = keys[start : start + block]
        # Partitioning at the first key that isn't drawn is much faster than sorting.
        limit = np.partition(rows, count, axis=1)[:, count]
        np.less(rows, limit[:, None], out=drawn[start : start + block])
    return drawn


def percentiles(values: npt.NDArray[np.float64], level: float) -> tuple[Reals, Reals]:
    """Return the bounds of the percentile interval of each column."""
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(values, [tail, 1.0 - tail], axis=0)
    return np.asarray(low), np.asarray(high)
