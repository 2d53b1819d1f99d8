"""Replace a file atomically: a reader sees the old contents or the new, never a part."""

from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from labeler.core.errors import EnvironmentFault


def write_atomically(path: Path, data: bytes) -> None:
    """Write a temporary file and rename it to `path`; raise EnvironmentFault if that fails."""
    aside = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(data)
        aside.replace(path)
    except OSError as error:
        raise EnvironmentFault(
            f"{path} can't be written ({error.strerror}). Free some space or check the permissions."
        ) from error
    finally:
        _remove_leftover(aside)


def _remove_leftover(aside: Path) -> None:
    # After the rename nothing is left; if removal fails too, the first error says more.
    with suppress(OSError):
        aside.unlink(missing_ok=True)
