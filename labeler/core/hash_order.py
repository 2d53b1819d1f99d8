"""Random order that is the same on every machine: by hash of a seed and a key.

A generator's stream depends on its library and on the order of its calls. A hash depends on
nothing but the seed and the thing itself, so adding an image never changes the draw of others.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

from labeler.core.errors import RefusedError

T = TypeVar("T")

# Every database's plain integer holds it, and every other program's seed.
MAX_SEED = 2**31 - 1


def hash_key(seed: int, purpose: str, *parts: str) -> bytes:
    """Where a thing is in the random order of a seed and a purpose."""
    text = "\0".join((purpose, str(seed), *parts))
    return hashlib.sha256(text.encode()).digest()


def shuffled(
    things: Iterable[T], *, seed: int, purpose: str, key: Callable[[T], tuple[str, ...]]
) -> list[T]:
    """The things in the random order of the seed, whatever order they came in."""

    def place(thing: T) -> tuple[bytes, tuple[str, ...]]:
        parts = key(thing)
        return hash_key(seed, purpose, *parts), parts

    return sorted(things, key=place)


def derived_seed(seed: int, purpose: str, *parts: str) -> int:
    """A seed of its own for something, from a more general one; fits a signed 64-bit column."""
    return int.from_bytes(hash_key(seed, purpose, *parts)[:8]) >> 1


def validated_seed(seed: int) -> int:
    """The seed that a person chose, refused where it can't be kept."""
    if not 0 <= seed <= MAX_SEED:
        raise RefusedError(f"{seed} can't be a seed: it is a whole number from 0 to {MAX_SEED:,}.")
    return seed
