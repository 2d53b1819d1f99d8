"""Errors that become a sentence for a person, distinguished by whose fault they are."""

import errno
from pathlib import Path


class LabelerError(Exception):
    """A message that a person can act on; everything else that is raised is a defect of ours.

    `by_command` is what to type about it, for those who type; the window has its own words.
    """

    def __init__(self, sentence: str, *, by_command: str = "") -> None:
        super().__init__(sentence)
        self.by_command = by_command

    @property
    def typed(self) -> str:
        """The message for someone at a terminal."""
        return f"{self} {self.by_command}" if self.by_command else str(self)


class RefusedError(LabelerError):
    """What the person asked for breaks a rule or names something that isn't there."""


class EnvironmentFault(LabelerError):
    """The machine can't do it: a full disk, a missing library, a file no one may read."""


class InputError(RefusedError):
    """A file holds something that can't be accepted, at a place that the message names."""

    def __init__(
        self,
        problem: str,
        *,
        file: Path | str,
        line: int | None = None,
        column: str | None = None,
        others: tuple["InputError", ...] = (),
        by_command: str = "",
    ) -> None:
        place = [str(file)]
        if line is not None:
            place.append(f"line {line}")
        if column is not None:
            place.append(f"column {column}")
        super().__init__(f"{', '.join(place)}: {problem}", by_command=by_command)
        self.problem = problem
        self.file = file
        self.line = line
        self.column = column
        # Further faults of the same file, for someone who wants to fix them all at once.
        self.others = others


_NOT_ALLOWED = (
    "this account may not read or write there. Change the permissions, or choose another place."
)
_FULL = "the disk is full. Free some space and try again."
_SILENT = "the drive doesn't answer. Check that it is there."
# Refusals that are no one's mistake in the program. A file that isn't there is none of them: it
# may be one of ours.
_REASONS = {
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.ENAMETOOLONG: "a name in it is too long for the disk. Choose a shorter one.",
    errno.ENOTDIR: "one of the folders on the way is a file. Check how it is spelled.",
    errno.ELOOP: "links on the way lead in a circle. Give the place that is meant.",
    errno.EROFS: "the drive is read-only. Make it writable, or choose another place.",
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EIO: "the disk failed. Check the drive.",
    errno.ESTALE: _SILENT,
    errno.ENODEV: _SILENT,
    errno.ENXIO: _SILENT,
    errno.ETIMEDOUT: _SILENT,
}
# The system doesn't name a file when a write to it finds no room.
_NEED_NO_NAME = {errno.ENOSPC, errno.EDQUOT, errno.EIO}


def as_environment_fault(error: BaseException, *, blind: bool) -> EnvironmentFault | None:
    """A file or disk that refused, as a sentence; None for what may be a defect of ours.

    Anyone who is blind isn't told the file's name, since that often is an image's target.
    """
    if not isinstance(error, OSError) or error.errno not in _REASONS:
        return None
    if error.filename is None and error.errno not in _NEED_NO_NAME:
        return None
    named = error.filename is not None and not blind
    file = f"'{_text(error.filename)}'" if named else "A file"
    return EnvironmentFault(f"{file} can't be reached: {_REASONS[error.errno]}")


def os_error_reason(error: OSError) -> str:
    """Why the machine refused and what to do, to be reported behind what it refused.

    A refusal that has no words of ours names its file, so it is nothing for anyone who is blind.
    """
    reason = _REASONS.get(error.errno or 0)
    if reason is not None:
        return reason
    file = "" if error.filename is None else f" ('{_text(error.filename)}')"
    return f"{error.strerror or error}{file}."


def _text(name: object) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)
