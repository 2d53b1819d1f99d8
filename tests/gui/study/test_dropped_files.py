"""Dropped files are taken by the first widget outwards that wants them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFrame
from pytestqt.qtbot import QtBot

from labeler.ui.study.file_drop import FileDropMixin, is_one_folder


class Shelf(FileDropMixin, QFrame):
    """Notes what was dropped on it."""

    def __init__(self, *, folders_only: bool) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self._folders_only = folders_only
        self.taken: list[list[Path]] = []

    def wants(self, paths: list[Path]) -> bool:
        return is_one_folder(paths) if self._folders_only else super().wants(paths)

    def handle_dropped_files(self, paths: list[Path]) -> None:
        self.taken.append(paths)


def drop(onto: Shelf, *urls: QUrl) -> bool:
    """Through Qt's own delivery; whether it was taken."""
    data = QMimeData()
    data.setUrls(list(urls))
    about = (data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    entering = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, *about)
    QApplication.sendEvent(onto, entering)
    QApplication.sendEvent(onto, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, *about))
    return entering.isAccepted()


def here(path: Path) -> QUrl:
    return QUrl.fromLocalFile(str(path))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "names.csv").touch()
    return tmp_path / "names.csv"


def test_local_files_are_accepted(qtbot: QtBot, file: Path, tmp_path: Path) -> None:
    shelf = Shelf(folders_only=False)
    qtbot.addWidget(shelf)
    assert drop(shelf, here(file), here(tmp_path))
    assert shelf.taken == [[file, tmp_path]]


def test_mixed_drops_are_ignored(qtbot: QtBot, file: Path) -> None:
    shelf = Shelf(folders_only=False)
    qtbot.addWidget(shelf)
    assert not drop(shelf, here(file), QUrl("https://example.org/names.csv"))
    assert not drop(shelf, here(file.with_name("gone.csv")))
    assert not drop(shelf)
    assert shelf.taken == []


def test_an_unwanted_drop_goes_to_the_parent(qtbot: QtBot, file: Path, tmp_path: Path) -> None:
    shelf = Shelf(folders_only=True)
    qtbot.addWidget(shelf)
    assert not drop(shelf, here(file))
    assert not drop(shelf, here(tmp_path), here(file))
    assert drop(shelf, here(tmp_path))
    assert shelf.taken == [[tmp_path]]
