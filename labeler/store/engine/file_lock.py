"""A lock on an open file, which ends with the program that holds it."""

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

if sys.platform == "win32":
    import msvcrt
    import os

    # Far beyond any contents, since Windows would keep others from reading what is locked.
    _LOCK_OFFSET = 1 << 40

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


_LOCKED_ERRORS = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


@contextmanager
def hold_lock(descriptor: int) -> Iterator[bool]:
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


def try_acquire_lock(descriptor: int) -> bool:
    """Take the lock until the file is closed, without waiting; false where another holds it."""
    try:
        _try_lock(descriptor)
    except OSError as error:
        # A disk that knows no locks can't tell that anyone holds one.
        return error.errno not in _LOCKED_ERRORS
    return True


def is_locked(descriptor: int) -> bool | None:
    """Whether another holds the lock; None where the disk knows no locks."""
    try:
        _try_lock(descriptor)
    except OSError as error:
        return True if error.errno in _LOCKED_ERRORS else None
    _unlock(descriptor)
    return False
