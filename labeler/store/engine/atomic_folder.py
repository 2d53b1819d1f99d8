"""Writing several files aside, and moving them into their folder when all of them are whole."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from labeler.core.errors import EnvironmentFault, RefusedError, os_error_reason
from labeler.store.engine.file_lock import is_locked, try_acquire_lock

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
    """Whether someone holds the lock; None where that can't be known."""
    try:
        # Windows locks no file that is only read.
        with lock.open("r+b") as opened:
            return is_locked(opened.fileno())
    except OSError:
        return None


@contextmanager
def replace_folder_atomically(folder: Path) -> Iterator[Path]:
    """A folder to write into; its files replace those of `folder` when the block ends well."""
    require_no_file(folder)
    with _translate_errors(folder, "Nothing in it was changed."):
        # Within the folder itself where it is there: what is above may be another disk.
        parent = folder if folder.is_dir() else folder.parent
        parent.mkdir(parents=True, exist_ok=True)
        for place in (folder, folder.parent):
            remove_abandoned_folders(place)
        with _temporary_folder(parent) as aside:
            yield aside
            with _translate_errors(
                folder, "Some of its files may be of before: repeat it to have all."
            ):
                _move_files(aside, folder)


def require_no_file(folder: Path) -> None:
    """Refuse a file in the place of the folder."""
    if folder.exists() and not folder.is_dir():
        raise RefusedError(f"'{folder}' is a file; give a folder to write into.")


@contextmanager
def _temporary_folder(parent: Path) -> Iterator[Path]:
    """A folder to write in, gone afterwards; its lock says that someone still does."""
    aside = Path(tempfile.mkdtemp(prefix=TEMPORARY_PREFIX, dir=parent))
    try:
        with (aside / LOCK_NAME).open("wb") as lock:
            try_acquire_lock(lock.fileno())
            yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _move_files(aside: Path, folder: Path) -> None:
    files = [file for file in sorted(aside.rglob("*")) if file.is_file() and file.name != LOCK_NAME]
    places = [folder / file.relative_to(aside) for file in files]
    # All folders first: a disk that has no room for one is better found before any file moved.
    for parent in {place.parent for place in places} | {folder}:
        parent.mkdir(parents=True, exist_ok=True)
    for file, place in zip(files, places, strict=True):
        file.replace(place)


@contextmanager
def _translate_errors(folder: Path, state: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EnvironmentFault(
            f"'{folder}' can't be written: {os_error_reason(error)} {state}"
        ) from error
