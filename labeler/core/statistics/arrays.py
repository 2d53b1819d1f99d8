"""The names of the arrays that statistics and metrics pass around."""

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


def product(left: npt.ArrayLike, right: npt.ArrayLike) -> Counts:
    """The matrix product of counts or flags; exact, since no sum comes near 2^53."""
    made = np.asarray(left, np.float64) @ np.asarray(right, np.float64)
    return np.rint(made).astype(np.int64)
