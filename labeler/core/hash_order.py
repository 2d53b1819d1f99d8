"""Random order that is the same on every machine, from a hash of a seed and a key.

The stream of a generator depends on its library and on the order of its calls. A hash depends on
its input only.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

from labeler.core.errors import RefusedError

T = TypeVar("T")

# The largest value of a plain integer in every supported database and program.
MAX_SEED = 2**31 - 1


def hash_key(seed: int, purpose: str, *parts: str) -> bytes:
    """Return the sort key of an item in the random order of a seed and a purpose."""
    text = "\0".join((purpose, str(seed), *parts))
    return hashlib.sha256(text.encode()).digest()


def shuffled(
    items: Iterable[T], *, seed: int, purpose: str, key: Callable[[T], tuple[str, ...]]
) -> list[T]:
    """Return the items in the random order of the seed, independent of their input order."""

    def sort_key(item: T) -> tuple[bytes, tuple[str, ...]]:
        parts = key(item)
        return hash_key(seed, purpose, *parts), parts

    return sorted(items, key=sort_key)


def derived_seed(seed: int, purpose: str, *parts: str) -> int:
    """Derive a seed from a more general one; it fits a signed 64-bit column."""
    return int.from_bytes(hash_key(seed, purpose, *parts)[:8]) >> 1


def validated_seed(seed: int) -> int:
    """Return the seed if it is in range, otherwise raise."""
    if not 0 <= seed <= MAX_SEED:
        raise RefusedError(
            f"{seed} is not a valid seed. Use a whole number from 0 to {MAX_SEED:,}."
        )
    return seed
