"""What exports left behind that were killed: found by the next one, and removed if surely dead."""

import shutil
import time
from contextlib import suppress
from pathlib import Path

from labeler.store.engine.file_lock import is_held

PREFIX = ".labeler-export-"
LOCK = ".lock"
# An export that has just begun may not hold its lock yet.
_BEGINNING_SECONDS = 60
# One without a lock can't be asked: it is of an older program, or on a disk that knows no locks.
_SILENT_SECONDS = 24 * 3600


def remove_leftovers(folder: Path) -> None:
    """Remove what dead exports left in the folder; what can't be looked at stays."""
    with suppress(OSError):
        for left in folder.glob(f"{PREFIX}*"):
            if left.is_dir() and not left.is_symlink() and _is_dead(left):
                shutil.rmtree(left, ignore_errors=True)


def _is_dead(left: Path) -> bool:
    held = _held(left / LOCK)
    age = time.time() - left.stat().st_mtime
    return not held and age > (_SILENT_SECONDS if held is None else _BEGINNING_SECONDS)


def _held(lock: Path) -> bool | None:
    """Whether somebody holds the lock; None where that can't be known."""
    try:
        # Windows locks no file that is only read.
        with lock.open("r+b") as opened:
            return is_held(opened.fileno())
    except OSError:
        return None
