"""Something that is made when it is first asked for, whichever thread asks."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Lazy(Generic[T]):
    """Calls `make` at most once; what it raises is raised, and it is tried again the next time."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: list[T] = []

    def __call__(self) -> T:
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]

    @property
    def value_if_made(self) -> T | None:
        """What was made; None when nobody has asked for it."""
        return self._made[0] if self._made else None
