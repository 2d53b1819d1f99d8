"""Array types of statistics and metrics."""

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


# Products of at most this many terms run on one core: threads would cost more than they save.
_ON_ONE_CORE = 1 << 18
_FEWEST_ROWS = 8


def product(left: npt.ArrayLike, right: npt.ArrayLike) -> Counts:
    """Return the matrix product of counts or flags, whose sums count images.

    Integers are exact in single precision below 2^24; no study has as many images.
    """
    rows, columns = np.asarray(left), np.asarray(right, np.float32)
    block = _ON_ONE_CORE // max(columns.size, 1)
    if not _FEWEST_ROWS <= block < len(rows):
        return _rounded(rows.astype(np.float32, copy=False) @ columns)
    # Work in blocks that fit the processor cache.
    result = np.empty((len(rows), columns.shape[1]), np.float32)
    for start in range(0, len(rows), block):
        part = slice(start, start + block)
        np.matmul(rows[part].astype(np.float32), columns, out=result[part])
    return _rounded(result)


def _rounded(sums: npt.NDArray[np.float32]) -> Counts:
    return np.rint(sums).astype(np.int64)
