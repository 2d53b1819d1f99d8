"""Where an image's file lies."""

from pathlib import Path


def place_of(*, root: str | None, name: str, path: str | None) -> str:
    """Where an image's file lies; empty for an image without a file."""
    if path is not None:
        return path
    return "" if root is None else str(Path(root, *name.split("/")))
