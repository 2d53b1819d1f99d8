"""What exports left behind that were killed: found by the next one, and removed if surely dead."""

import shutil
import time
from contextlib import suppress
from pathlib import Path

from labeler.store.engine.file_lock import is_locked

TEMPORARY_PREFIX = ".labeler-export-"
LOCK_NAME = ".lock"
# An export that has just begun may not hold its lock yet.
_LOCK_GRACE_SECONDS = 60
# One without a lock can't be asked: it is of an older program, or on a disk that knows no locks.
_UNLOCKED_MAX_AGE_SECONDS = 24 * 3600


def remove_abandoned_folders(folder: Path) -> None:
    """Remove what dead exports left in the folder; what can't be looked at stays."""
    with suppress(OSError):
        for left in folder.glob(f"{TEMPORARY_PREFIX}*"):
            if left.is_dir() and not left.is_symlink() and _is_abandoned(left):
                shutil.rmtree(left, ignore_errors=True)


def _is_abandoned(left: Path) -> bool:
    held = _is_lock_held(left / LOCK_NAME)
    age = time.time() - left.stat().st_mtime
    return not held and age > (_UNLOCKED_MAX_AGE_SECONDS if held is None else _LOCK_GRACE_SECONDS)


def _is_lock_held(lock: Path) -> bool | None:
    """Whether somebody holds the lock; None where that can't be known."""
    try:
        # Windows locks no file that is only read.
        with lock.open("r+b") as opened:
            return is_locked(opened.fileno())
    except OSError:
        return None
