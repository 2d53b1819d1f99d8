"""Files and folders of this machine, dropped on a widget."""

from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDropEvent


class FileDropMixin:
    """What a widget is besides, on which files can be dropped; it has to accept drops itself.

    What it doesn't want goes to the widget around it.
    """

    def wants(self, paths: list[Path]) -> bool:  # noqa: ARG002
        """Whether these can be dropped here; there is one at least."""
        return True

    def handle_dropped_files(self, paths: list[Path]) -> None:
        """Do what was meant by dropping them."""
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
    """The files and folders that were dropped; none where anything else was among them."""
    urls = event.mimeData().urls()
    paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return paths if len(paths) == len(urls) and all(path.exists() for path in paths) else []
