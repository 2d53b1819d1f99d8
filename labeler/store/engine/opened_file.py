"""Notices when a database that is open was deleted, or another file has taken its place.

A program that has a file open keeps writing to it after it was deleted or replaced, and nothing
that is written arrives. Device and inode reveal a new file at the path. A copy that was written
into the same file has another generation stamp, which every study and every backup gets at random,
or an older change counter.
"""

import os
import secrets
import shutil
import sqlite3
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from labeler.core.errors import EnvironmentFault, os_error_reason

# The places of numbers in the header of an SQLite file.
_CHANGE_COUNTER = slice(24, 28)
_GENERATION = slice(60, 64)
_HEADER_SIZE = 100
_LARGEST_GENERATION = 2**31 - 1

DELETED = (
    "The study's file was deleted, moved or renamed while the study was open. Put the folder back, "
    "or ask the lead to restore a backup, then open the study again."
)
REPLACED = (
    "The study's file was replaced by another one while the study was open: by a restored backup, "
    "or by a program that synchronizes folders. Open the study again to continue with the file "
    "that is there now."
)


class DatabaseReplaced(EnvironmentFault):
    """The open database is no longer the file at its path; nothing more can be stored in it."""


def stamp_generation(connection: sqlite3.Connection) -> None:
    """Mark the file as different from every other copy of the study."""
    connection.execute(f"PRAGMA user_version = {new_generation()}")


def new_generation() -> int:
    return 1 + secrets.randbelow(_LARGEST_GENERATION)


@dataclass
class _Descriptor:
    """An open file; `uses` counts the databases that look at it."""

    number: int
    uses: int = 0


# One per file, open as long as a database is: closing any descriptor of a file releases the locks
# that SQLite holds on it in this process.
_descriptors: dict[tuple[int, int], _Descriptor] = {}
_descriptors_lock = threading.Lock()


@dataclass
class _Pinned:
    """The file as it was when it was opened."""

    key: tuple[int, int]
    descriptor: int
    generation: bytes
    change_counter: int
    # The write-ahead log that belongs to the file.
    log: tuple[int, int] | None = None


class OpenedFile:
    """The file of one open database."""

    def __init__(self, file: Path, *, encrypted: bool = False) -> None:
        self._file = file
        # The header of an encrypted file can't be compared: it changes with every write.
        self._encrypted = encrypted
        self._pinned: _Pinned | None = None
        self._lost: DatabaseReplaced | None = None
        self._lock = threading.Lock()

    def shared(self) -> "OpenedFile":
        """Return the same file for another database, which may be opened much later."""
        other = OpenedFile(self._file, encrypted=self._encrypted)
        with self._lock:
            if self._pinned is not None:
                _retain(self._pinned.key)
                other._pinned = replace(self._pinned)
            other._lost = self._lost
        return other

    def require_in_place(self) -> None:
        """Refuse if the file at the path is another one than at the first call.

        A database that is about to be created has no file yet; then nothing is checked.
        """
        with self._lock:
            self._require_in_place()

    def _require_in_place(self) -> None:
        if self._lost is not None:
            raise DatabaseReplaced(str(self._lost))
        try:
            self._check()
        except DatabaseReplaced as lost:
            self._lost = lost
            with suppress(OSError):
                self._detach_log()
            raise
        except OSError as error:
            raise EnvironmentFault(
                f"The study's file can't be reached: {os_error_reason(error)}"
            ) from error

    def release(self) -> None:
        """Forget the file, after the last connection to it is closed."""
        with self._lock:
            if self._pinned is not None:
                _release(self._pinned.key)
                self._pinned = None

    def _check(self) -> None:
        try:
            status = self._file.stat()
        except (FileNotFoundError, NotADirectoryError) as error:
            if self._pinned is None:
                return
            raise DatabaseReplaced(DELETED) from error
        if self._pinned is None:
            self._pinned = _pin(self._file)
        if not os.path.samestat(status, os.fstat(self._pinned.descriptor)):
            raise DatabaseReplaced(REPLACED)
        if not self._encrypted and _is_overwritten(self._pinned):
            raise DatabaseReplaced(REPLACED)
        self._pinned.log = _file_key(self._log)

    @property
    def _log(self) -> Path:
        return Path(f"{self._file}-wal")

    def _detach_log(self) -> None:
        """Set the log of the earlier file aside, which SQLite would apply to the new one."""
        if self._pinned is None or self._pinned.log is None:
            return
        if _file_key(self._log) != self._pinned.log:
            return
        shutil.copyfile(self._log, f"{self._log}.{secrets.token_hex(4)}.replaced")
        # Open connections would write it into the new file when they are closed.
        os.truncate(self._log, 0)
        self._log.unlink()
        Path(f"{self._file}-shm").unlink(missing_ok=True)


def _pin(file: Path) -> _Pinned:
    status = file.stat()
    key = status.st_dev, status.st_ino
    with _descriptors_lock:
        if key not in _descriptors:
            _descriptors[key] = _Descriptor(os.open(file, os.O_RDONLY))
        _descriptors[key].uses += 1
        descriptor = _descriptors[key].number
    header = _header(descriptor)
    return _Pinned(key, descriptor, header[_GENERATION], _number(header[_CHANGE_COUNTER]))


def _retain(key: tuple[int, int]) -> None:
    with _descriptors_lock:
        _descriptors[key].uses += 1


def _release(key: tuple[int, int]) -> None:
    with _descriptors_lock:
        descriptor = _descriptors[key]
        descriptor.uses -= 1
        if not descriptor.uses:
            os.close(_descriptors.pop(key).number)


def _is_overwritten(pinned: _Pinned) -> bool:
    """Return whether other contents were written into the same file."""
    # Twice, because SQLite may be writing the header at this moment.
    return _has_other_contents(pinned) and _has_other_contents(pinned)


def _has_other_contents(pinned: _Pinned) -> bool:
    header = _header(pinned.descriptor)
    generation, counter = header[_GENERATION], _number(header[_CHANGE_COUNTER])
    # A study of an earlier program gets its stamp after it was opened.
    known = _number(pinned.generation) != 0
    if (known and generation != pinned.generation) or counter < pinned.change_counter:
        return True
    pinned.generation, pinned.change_counter = generation, counter
    return False


def _header(descriptor: int) -> bytes:
    if not hasattr(os, "pread"):
        # Windows doesn't let anyone replace or overwrite a file that is open.
        return bytes(_HEADER_SIZE)
    # A database that is being created is still empty.
    return os.pread(descriptor, _HEADER_SIZE, 0).ljust(_HEADER_SIZE, b"\0")


def _number(field: bytes) -> int:
    return int.from_bytes(field, "big")


def _file_key(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
