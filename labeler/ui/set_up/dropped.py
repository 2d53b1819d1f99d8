"""What was dropped on a step: files and folders of this machine."""

from pathlib import Path

from PySide6.QtGui import QDropEvent


def dropped_paths(event: QDropEvent) -> list[Path]:
    """The files and folders that were dropped; none where anything else was among them."""
    urls = event.mimeData().urls()
    paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return paths if len(paths) == len(urls) and all(path.exists() for path in paths) else []


def dropped_folder(event: QDropEvent) -> Path | None:
    """The one folder that was dropped."""
    paths = dropped_paths(event)
    return paths[0] if len(paths) == 1 and paths[0].is_dir() else None
