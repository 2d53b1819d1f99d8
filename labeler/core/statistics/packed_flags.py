"""Count flags with packed bits, 64 at a time.

A matrix product would treat every flag as a 4-byte number. Packed flags need 1/32 of the memory,
which matters most where memory is slow.
"""

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.arrays import Counts, Flags, product

Words = npt.NDArray[np.uint64]

# With more bit planes than this, the matrix product is faster.
_MOST_PLANES = 64
_WORD = 64


def common_counts(one: Flags, other: Flags) -> Counts:
    """Count the flags that each row of one has in common with each row of the other."""
    words, others = _packed(one), _packed(other)
    counts = [_row_sums(np.bitwise_count(others & row)) for row in words]
    return np.array(counts, np.int64).reshape(len(words), len(others))


def drawn_sums(drawn: Flags, values: Counts) -> Counts:
    """Return, for each row of flags, the sum of each row of values over the drawn columns.

    The bits of small integers are treated as planes of flags.
    """
    bits = int(values.max(initial=1)).bit_length()
    if bits * len(values) > _MOST_PLANES:
        return product(drawn, values.T)
    words = _packed(drawn)
    sums = np.zeros((len(drawn), len(values)), np.int64)
    for bit in range(bits):
        for column, flags in enumerate(_packed((values >> bit) & 1 == 1)):
            sums[:, column] += _row_sums(np.bitwise_count(words & flags)) << bit
    return sums


def _row_sums(counts: npt.NDArray[np.uint8]) -> Counts:
    """Sum the rows as a matrix product, several times as fast as a sum of bytes and as exact."""
    return np.rint(counts.astype(np.float32) @ np.ones(counts.shape[1], np.float32)).astype(
        np.int64
    )


def _packed(flags: Flags) -> Words:
    """Pack rows of flags into rows of 64-bit words, padded with zeros."""
    packed = np.packbits(flags, axis=1)
    width = -(-flags.shape[1] // _WORD) * (_WORD // 8)
    filled = np.zeros((len(flags), width), np.uint8)
    filled[:, : packed.shape[1]] = packed
    return filled.view(np.uint64)
