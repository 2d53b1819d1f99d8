"""The names of the arrays that statistics and metrics pass around."""

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


def product(left: npt.ArrayLike, right: npt.ArrayLike) -> Counts:
    """The matrix product of counts or flags, whose sums count images.

    Whole numbers are exact in single precision below 2^24, and no study has as many images.
    """
    made = np.asarray(left, np.float32) @ np.asarray(right, np.float32)
    return np.rint(made).astype(np.int64)
