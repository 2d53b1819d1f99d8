"""The names of the arrays that statistics and metrics pass around."""

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


# A product of at most so many terms is computed on one core: others would cost more than they save.
_ON_ONE_CORE = 1 << 18
_FEWEST_ROWS = 8


def product(left: npt.ArrayLike, right: npt.ArrayLike) -> Counts:
    """The matrix product of counts or flags, whose sums count images.

    Whole numbers are exact in single precision below 2^24, and no study has as many images.
    """
    rows, columns = np.asarray(left), np.asarray(right, np.float32)
    block = _ON_ONE_CORE // max(columns.size, 1)
    if not _FEWEST_ROWS <= block < len(rows):
        return _rounded(rows.astype(np.float32, copy=False) @ columns)
    # Block by block, what is multiplied stays near the processor.
    made = np.empty((len(rows), columns.shape[1]), np.float32)
    for start in range(0, len(rows), block):
        part = slice(start, start + block)
        np.matmul(rows[part].astype(np.float32), columns, out=made[part])
    return _rounded(made)


def _rounded(sums: npt.NDArray[np.float32]) -> Counts:
    return np.rint(sums).astype(np.int64)
