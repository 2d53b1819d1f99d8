"""Only files are read: a pipe or a device would keep its reader waiting, perhaps for ever."""

from pathlib import Path

from labeler.core.errors import RefusedError


def require_regular_file(path: Path) -> None:
    """Refuse what is there and is neither a file nor a folder; the rest is the reader's to tell."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise RefusedError(
            f"'{path}' is a pipe or a device, and no file: save what it gives as a file and give "
            "that."
        )
