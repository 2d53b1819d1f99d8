"""Errors with a message for the user, distinguished by cause."""

import errno
from pathlib import Path


class LabelerError(Exception):
    """An error that the user can act on; every other exception is a bug in the program.

    `by_command` adds a hint about commands, shown only in a terminal.
    """

    def __init__(self, sentence: str, *, by_command: str = "") -> None:
        super().__init__(sentence)
        self.by_command = by_command

    @property
    def typed(self) -> str:
        """The message for a terminal."""
        return f"{self} {self.by_command}" if self.by_command else str(self)


class RefusedError(LabelerError):
    """The request breaks a rule or names something that doesn't exist."""


class EnvironmentFault(LabelerError):
    """The machine can't do it: a full disk, a missing library, a file without permission."""


class InputError(RefusedError):
    """A file contains something that can't be accepted; the message names the location."""

    def __init__(
        self,
        problem: str,
        *,
        file: Path | str,
        line: int | None = None,
        column: str | None = None,
        others: tuple["InputError", ...] = (),
        by_command: str = "",
        place_word: str = "line",
    ) -> None:
        """`place_word` says what `line` counts, for files that have no lines."""
        location = [str(file)]
        if line is not None:
            location.append(f"{place_word} {line}")
        if column is not None:
            location.append(f"column {column}")
        super().__init__(f"{', '.join(location)}: {problem}", by_command=by_command)
        self.problem = problem
        self.file = file
        self.line = line
        self.column = column
        # Further errors in the same file, so that they can be fixed together.
        self.others = others


NOT_PERMITTED = "this account has no permission. Change the permissions, or choose another folder."
DISK_FULL = "the disk is full. Free some space and try again."
NO_RESPONSE = "the drive doesn't respond. Check that it is connected."
NAME_TOO_LONG = "a name in the path is too long for the disk. Choose a shorter one."
READ_ONLY_DRIVE = "the drive is read-only. Make it writable, or choose another folder."
# Errors of the environment. A missing file is not one of them: it can be a bug of ours.
_REASONS = {
    errno.EACCES: NOT_PERMITTED,
    errno.EPERM: NOT_PERMITTED,
    errno.ENAMETOOLONG: NAME_TOO_LONG,
    errno.ENOTDIR: "one of the folders in the path is a file. Check the path.",
    errno.ELOOP: "the path has a loop of symbolic links. Use another path.",
    errno.EROFS: READ_ONLY_DRIVE,
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EIO: "the disk failed. Check the drive.",
    errno.ESTALE: NO_RESPONSE,
    errno.ENODEV: NO_RESPONSE,
    errno.ENXIO: NO_RESPONSE,
    errno.ETIMEDOUT: NO_RESPONSE,
}
# The system doesn't name the file when a write to an open file fails.
_WITHOUT_FILE_NAME = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS}


def as_environment_fault(error: BaseException, *, blind: bool) -> EnvironmentFault | None:
    """Convert an error of a file or disk to a message, or return None if it may be a bug.

    In a blind session the file name is left out, because it often reveals an image's target.
    """
    if not isinstance(error, OSError) or error.errno not in _REASONS:
        return None
    if error.filename is None and error.errno not in _WITHOUT_FILE_NAME:
        return None
    named = error.filename is not None and not blind
    file = f"'{_text(error.filename)}'" if named else "A file"
    return EnvironmentFault(f"{file} can't be accessed: {_REASONS[error.errno]}")


def os_error_reason(error: OSError) -> str:
    """Return why a file operation failed and what to do, to append to a message.

    An error without a known reason names its file, so don't show it in a blind session.
    """
    reason = _REASONS.get(error.errno or 0)
    if reason is not None:
        return reason
    file = "" if error.filename is None else f" ('{_text(error.filename)}')"
    return f"{error.strerror or error}{file}."


def _text(name: object) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)
