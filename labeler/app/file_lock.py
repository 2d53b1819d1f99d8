"""A lock on an open file, which ends with the program that holds it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

if sys.platform == "win32":
    import msvcrt
    import os

    # Far beyond any contents, since Windows would keep others from reading what is locked.
    _PLACE = 1 << 40

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def locked(descriptor: int) -> Iterator[bool]:
    """Wait for the lock and hold it; false where the disk knows no locks."""
    try:
        _lock(descriptor)
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        with suppress(OSError):
            _unlock(descriptor)
