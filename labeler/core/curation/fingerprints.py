"""Pixels as numbers to compare: block sums with their lower bound, and a perceptual hash."""

import numpy as np
import scipy.fft
from numpy.typing import NDArray

# Images are compared at this size, in RGB with the channels first.
SIDE = 256
PIXEL_SHAPE = (3, SIDE, SIDE)
_BLOCKS = 16
_BLOCK_SIDE = SIDE // _BLOCKS
_BLOCK_PIXELS = _BLOCK_SIDE**2
BLOCK_SUMS = 3 * _BLOCKS**2

_HASH_SIDE = 32
_HASH_BITS = 8
# Copies that were scaled, compressed or tinted differ in at most so many of the 64 bits.
COPY_BITS = 4
_LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)

Pixels = NDArray[np.uint8]
BlockSums = NDArray[np.uint16]
Vectors = NDArray[np.float32]
Hashes = NDArray[np.uint64]


def block_sums(pixels: Pixels) -> BlockSums:
    """Return the sum of each 16 × 16 block and channel, which fits into 16 bits."""
    blocks = pixels.reshape(3, _BLOCKS, _BLOCK_SIDE, _BLOCKS, _BLOCK_SIDE)
    sums: BlockSums = blocks.sum(axis=(2, 4), dtype=np.uint16).reshape(BLOCK_SUMS)
    return sums


def block_means(sums: BlockSums) -> Vectors:
    """Return block means around zero, without rounding, so that distances stay exact enough."""
    means: Vectors = sums.astype(np.float32) / np.float32(_BLOCK_PIXELS)
    if len(means):
        # In steps that a float of 32 bits holds exactly.
        middle = np.round(means.mean(axis=0) * _BLOCK_PIXELS) / _BLOCK_PIXELS
        means -= middle.astype(np.float32)
    return means


def bound_on_means(limit: float) -> float:
    """Return the squared distance of block means above which pixels differ by more than a limit.

    256·‖difference of block means‖² is never more than the squared pixel distance.
    """
    return limit / _BLOCK_PIXELS


def pixel_distance(one: Pixels, other: Pixels) -> int:
    """Return the exact squared distance of the pixels."""
    difference = np.subtract(one, other, dtype=np.int32).ravel()
    return int(np.einsum("i,i->", difference, difference, dtype=np.int64))


def perceptual_hash(pixels: Pixels) -> np.uint64:
    """Return 64 bits that say which low frequencies of the grey image are above their median."""
    step = SIDE // _HASH_SIDE
    grey = np.tensordot(_LUMA, pixels.astype(np.float32), axes=1)
    small = grey.reshape(_HASH_SIDE, step, _HASH_SIDE, step).mean(axis=(1, 3))
    waves = scipy.fft.dctn(small, norm="ortho")[:_HASH_BITS, :_HASH_BITS].ravel()
    # The first wave is the mean brightness, which says nothing about the picture.
    bits = waves > np.median(waves[1:])
    return np.uint64(np.packbits(bits).view(np.uint64)[0])


def similar_hashes(
    hashes: Hashes, first: int, last: int, *, most: int = COPY_BITS
) -> list[tuple[int, int]]:
    """Return pairs (i, j) with i < j, i from `first` to before `last`, that differ in few bits."""
    found: list[tuple[int, int]] = []
    for row in range(first, last):
        others = hashes[row + 1 :]
        near = np.bitwise_count(others ^ hashes[row]) <= most
        found += [(row, row + 1 + int(column)) for column in np.flatnonzero(near)]
    return found
