"""Random draws that a seed decides, the same for everybody who draws with it."""

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.arrays import Flags, Reals


def generator(seed: int, purpose: str) -> np.random.Generator:
    """A generator of its own for each purpose, so that one draw doesn't shift the next."""
    words = np.frombuffer(purpose.encode(), np.uint8).tolist()
    return np.random.Generator(np.random.PCG64([abs(seed), *words]))


def resample_counts(random: np.random.Generator, *, of: int, times: int) -> Reals:
    """How often each of `of` things comes up when as many are drawn with replacement."""
    drawn = random.integers(0, of, size=(times, of), dtype=np.int64)
    drawn += np.arange(times, dtype=np.int64)[:, None] * of
    return np.bincount(drawn.ravel(), minlength=times * of).reshape(times, of).astype(float)


def lots(random: np.random.Generator, *, of: int, times: int) -> Reals:
    """A lot for each of `of` things, so many times: the lowest lots are drawn."""
    return random.random((times, of))


def drawn_by(lots: Reals, count: int) -> Flags:
    """Which things have the `count` lowest lots, row by row; no two lots are the same."""
    if count == lots.shape[1]:
        return np.ones(lots.shape, np.bool_)
    # The one after the last that is drawn: finding it is far quicker than sorting all.
    beyond = np.partition(lots, count, axis=1)[:, count]
    return np.asarray(lots < beyond[:, None])


def percentiles(values: npt.NDArray[np.float64], level: float) -> tuple[Reals, Reals]:
    """The ends of the percentile interval of each column."""
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(values, [tail, 1.0 - tail], axis=0)
    return np.asarray(low), np.asarray(high)
