"""Replacing a file as a whole, so that a reader sees the old contents or the new, never half."""

from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from labeler.core.errors import EnvironmentFault


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file next to its place and move it there; EnvironmentFault if the disk refuses."""
    aside = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(data)
        aside.replace(path)
    except OSError as error:
        raise EnvironmentFault(
            f"{path} can't be written ({error.strerror}): free some space or check permissions."
        ) from error
    finally:
        _remove_leftover(aside)


def _remove_leftover(aside: Path) -> None:
    # After the move there is nothing left; where the disk refuses, the first error tells more.
    with suppress(OSError):
        aside.unlink(missing_ok=True)
