"""Replace a file atomically: a reader sees the old contents or the new, never a part."""

from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from labeler.core.errors import EnvironmentFault, os_error_reason
from labeler.core.folder_access import follow_folder, make_folder


def write_atomically(path: Path, data: bytes) -> None:
    """Write a temporary file and rename it to `path`; raise EnvironmentFault if that fails."""
    aside = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        make_folder(path.parent)
        aside.write_bytes(data)
        follow_folder(aside)
        aside.replace(path)
    except OSError as error:
        raise EnvironmentFault(f"{path} can't be written: {os_error_reason(error)}") from error
    finally:
        _remove_leftover(aside)


def _remove_leftover(aside: Path) -> None:
    # After the rename nothing is left; if removal fails too, the first error says more.
    with suppress(OSError):
        aside.unlink(missing_ok=True)
