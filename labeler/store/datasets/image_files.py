"""Where an image's file lies, and what it held."""

from pathlib import Path

from labeler.core.datasets.known_file import ImageFile


def resolve_image_path(*, root: str | None, name: str, path: str | None) -> str:
    """Where an image's file lies; empty for an image without a file."""
    if path is not None:
        return path
    return "" if root is None else str(Path(root, *name.split("/")))


def resolve_image_file(
    *,
    root: str | None,
    name: str,
    path: str | None,
    apply_exif: bool,
    content_hash: bytes | None,
) -> ImageFile | None:
    """The file for the decoder; None for an image without one."""
    place = resolve_image_path(root=root, name=name, path=path)
    return ImageFile(Path(place), bool(apply_exif), content_hash) if place else None
