"""Dropping local files and folders on a widget."""

from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDropEvent


class FileDropMixin:
    """Mixin for widgets on which files can be dropped; the widget has to accept drops itself.

    Drops that it doesn't want are passed to its parent.
    """

    def wants(self, paths: list[Path]) -> bool:  # noqa: ARG002
        """Whether these files can be dropped here; the list is never empty."""
        return True

    def handle_dropped_files(self, paths: list[Path]) -> None:
        """Handle the dropped files."""
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._wanted(event):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = self._wanted(event)
        if paths:
            event.acceptProposedAction()
            self.handle_dropped_files(paths)

    def _wanted(self, event: QDropEvent) -> list[Path]:
        paths = _local_paths(event)
        return paths if paths and self.wants(paths) else []


def is_one_folder(paths: list[Path]) -> bool:
    return len(paths) == 1 and paths[0].is_dir()


def _local_paths(event: QDropEvent) -> list[Path]:
    """Return the dropped files and folders, or nothing if anything else was dropped with them."""
    urls = event.mimeData().urls()
    paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return paths if len(paths) == len(urls) and all(path.exists() for path in paths) else []
