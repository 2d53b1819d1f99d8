"""Locks that say which sessions are really open, since a killed program can't end its session."""

import os
from contextlib import suppress
from pathlib import Path

from labeler.core.folder_access import PRIVATE_FILE, follow_folder, make_folder
from labeler.store.engine.file_lock import is_locked, try_acquire_lock
from labeler.store.study.folder import StudyFolder


class SessionLock:
    """Held as long as the session's window is open; the system releases it with the program."""

    def __init__(self, folder: StudyFolder, session_id: str) -> None:
        self._file = _lock_file(folder, session_id)
        self._descriptor: int | None = None
        # A folder that can't be written is reported when something has to be stored.
        with suppress(OSError):
            make_folder(self._file.parent)
            self._descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
            # Others of the study's group must be able to see that the window is open.
            follow_folder(self._file)
            try_acquire_lock(self._descriptor)

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            with suppress(OSError):
                self._file.unlink()
                self._file.parent.rmdir()  # fails while another window is open


def is_session_locked(folder: StudyFolder, session_id: str) -> bool | None:
    """Return whether the session's window is open; None if the disk has no locks.

    What a killed program left is removed.
    """
    file = _lock_file(folder, session_id)
    try:
        # Windows locks no file that is only read.
        with file.open("r+b") as opened:
            locked = is_locked(opened.fileno())
    except OSError:
        return False
    if locked is False:
        with suppress(OSError):
            file.unlink()
    return locked


def _lock_file(folder: StudyFolder, session_id: str) -> Path:
    return folder.windows / f"{session_id}.lock"
