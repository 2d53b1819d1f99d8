"""Checksums of packed values, which SQLite stores without any of its own."""

import zlib

from labeler.core.errors import EnvironmentFault

RESTORE_ADVICE = (
    "Its lead can put a backup in its place: under Set up, “Backups and check”, or on the first "
    "page where the study doesn't open any more."
)
RESTORE_COMMAND = "`labeler backup STUDY --list`, then `--restore`."


class DamagedContents(EnvironmentFault):
    """A stored value isn't what was written."""

    def __init__(self, place: str) -> None:
        super().__init__(
            f"The study's file is damaged: {place} was changed on the disk. {RESTORE_ADVICE}",
            by_command=f"`labeler check STUDY` says more; {RESTORE_COMMAND}",
        )


def checksum(value: bytes | None) -> int | None:
    return None if value is None else zlib.crc32(value)


def verified(value: bytes, stored: int | None, place: str) -> bytes:
    """Return the value if it has its stored checksum; `place` is its column.

    A value that was written without a checksum passes.
    """
    if stored is not None and zlib.crc32(value) != stored:
        raise DamagedContents(place)
    return value
