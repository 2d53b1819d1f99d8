"""The search for leaks finds what it is there to find: each leak is planted, and caught."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QSortFilterProxyModel,
    Qt,
    QUrl,
)
from PySide6.QtGui import QAction, QGuiApplication, QHelpEvent, QImage, QPainter, QTextDocument
from PySide6.QtGui import QStandardItem as Item
from PySide6.QtGui import QStandardItemModel as Items
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QListView,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextBrowser,
    QToolTip,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.forbidden import Forbidden, forbidden_words
from tests.gui.searching import all_texts, copied_from

SECRET = "n01440764/Snitch_0001.JPEG"

# The screenless platform says so of every window that is shown over another.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Painter(QWidget):
    def paintEvent(self, _event: object) -> None:  # noqa: N802
        QPainter(self).drawText(10, 20, SECRET)


class Whisperer(QWidget):
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), SECRET if event.x() > self.width() / 2 else "")
            return True
        return super().event(event)


class Roles(QAbstractListModel):
    """A list that tells under one role only."""

    def __init__(self, role: int) -> None:
        super().__init__()
        self._role = role

    def rowCount(self, above: QModelIndex = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if above.isValid() else 3

    def data(self, index: QModelIndex, role: int = 0) -> Any:
        return {"file": SECRET} if role == self._role and index.row() == 2 else None


def listing(window: QMainWindow, role: int) -> None:
    view = QListView(window)
    view.kept = Roles(role)
    view.setModel(view.kept)


def branch(window: QMainWindow) -> None:
    tree, model = QTreeView(window), Items(window)
    outer, inner = Item("outer"), Item("inner")
    inner.setData(SECRET, Qt.ItemDataRole.UserRole + 7)
    outer.appendRow(inner)
    model.appendRow(outer)
    tree.setModel(model)


def behind_a_filter(window: QMainWindow) -> None:
    view, all_rows, none = QListView(window), Items(window), QSortFilterProxyModel(window)
    all_rows.appendRow(Item(SECRET))
    none.setFilterFixedString("nothing is called so")
    none.setSourceModel(all_rows)
    view.setModel(none)


def heading(window: QMainWindow) -> None:
    tree, model = QTreeView(window), Items(window)
    model.setHorizontalHeaderLabels([SECRET])
    tree.setModel(model)


def text_title(window: QMainWindow) -> None:
    text = QTextBrowser(window)
    text.document().setMetaInformation(QTextDocument.MetaInformation.DocumentTitle, SECRET)


def image_with_words(window: QMainWindow) -> None:
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.setText("Comment", SECRET)
    window.setProperty("picture", image)


def menu(window: QMainWindow) -> None:
    QMenu(window).addAction("Copy").setData(SECRET)


def tab(window: QMainWindow) -> None:
    tabs = QTabBar(window)
    tabs.setTabToolTip(tabs.addTab("Image"), SECRET)


def combo(window: QMainWindow) -> None:
    QComboBox(window).addItem("1", userData=SECRET)


def shown(widget: QWidget) -> None:
    widget.resize(300, 200)
    widget.show()


LEAKS: dict[str, Callable[[QMainWindow], object]] = {
    "title": lambda window: window.setWindowTitle(f"labeler — {SECRET}"),
    "file of a window": lambda window: window.setWindowFilePath(f"/data/{SECRET}"),
    "tooltip": lambda window: QLabel("1", window).setToolTip(SECRET),
    "hidden label": lambda window: QLabel(SECRET, window).hide(),
    "elided label": lambda window: QLabel("n01440764/snitch_00…", window),
    "accessible name": lambda window: QLabel("1", window).setAccessibleName(SECRET),
    "accessible description": lambda window: window.setAccessibleDescription(SECRET),
    "object name": lambda window: window.setObjectName(SECRET),
    "status tip": lambda window: QAction("Go", window).setStatusTip(SECRET),
    "what's this": lambda window: window.setWhatsThis(SECRET),
    "dock": lambda window: QDockWidget(SECRET.upper(), window),
    "property": lambda window: window.setProperty("source", QUrl.fromLocalFile(f"/{SECRET}")),
    "escaped": lambda window: QLabel(SECRET.replace("/", "%2F"), window),
    "backslashes": lambda window: QLabel(SECRET.replace("/", "\\"), window),
    "placeholder": lambda window: QLineEdit(window).setPlaceholderText(SECRET),
    "text": lambda window: QPlainTextEdit(SECRET, window),
    "picture in a text": lambda window: QTextBrowser(window).setHtml(f"<img src='{SECRET}'>"),
    "title of a text": text_title,
    "image with words": image_with_words,
    "role for display": lambda window: listing(window, Qt.ItemDataRole.DisplayRole),
    "role of a tooltip": lambda window: listing(window, Qt.ItemDataRole.ToolTipRole),
    "role for a screen reader": lambda window: listing(window, Qt.ItemDataRole.AccessibleTextRole),
    "role of our own": lambda window: listing(window, Qt.ItemDataRole.UserRole + 32),
    "branch": branch,
    "row that is filtered away": behind_a_filter,
    "heading": heading,
    "action's data": menu,
    "tab": tab,
    "choice's data": combo,
    "painted": lambda window: shown(Painter(window, Qt.WindowType.Window)),
    "tip made while hovering": lambda window: shown(Whisperer(window, Qt.WindowType.Window)),
    "dialog": lambda window: shown(_titled(QDialog(window))),
}


def _titled(dialog: QDialog) -> QDialog:
    dialog.setWindowTitle(SECRET)
    return dialog


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QMainWindow]:
    window = QMainWindow()
    window.resize(400, 300)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QGuiApplication.clipboard().clear()


def secrets() -> Forbidden:
    return forbidden_words([SECRET, "snitch_0001"])


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_that_is_planted_is_found(window: QMainWindow, leak: str) -> None:
    assert secrets().found_in(all_texts()) == []
    LEAKS[leak](window)
    QApplication.processEvents()
    found = secrets().found_in(all_texts())
    assert found
    assert all(each.where for each in found)


def copying(window: QMainWindow, fill: Callable[[QMimeData], object]) -> QWidget:
    class Copier(QWidget):
        def keyPressEvent(self, _event: object) -> None:  # noqa: N802
            data = QMimeData()
            fill(data)
            QGuiApplication.clipboard().setMimeData(data)

    copier = Copier(window)
    copier.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    copier.show()
    return copier


def image_copied(data: QMimeData) -> None:
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.setText("Source", SECRET)
    data.setImageData(image)


@pytest.mark.parametrize(
    "fill",
    [
        lambda data: data.setText(SECRET),
        lambda data: data.setHtml(f"<a href='{SECRET}'>1</a>"),
        lambda data: data.setUrls([QUrl.fromLocalFile(f"/data/{SECRET}")]),
        lambda data: data.setData("application/x-ours", SECRET.encode("utf-16-le")),
        image_copied,
    ],
    ids=["text", "html", "address", "format of our own", "image with words"],
)
def test_what_is_copied_is_found_in_every_form(
    window: QMainWindow, fill: Callable[[QMimeData], object]
) -> None:
    assert secrets().found_in(copied_from([copying(window, fill)]))
    assert secrets().found_in(copied_from([window])) == [], "the clipboard was emptied"


def test_a_row_that_is_copied_is_found(window: QMainWindow) -> None:
    view, model = QListView(window), Items(window)
    model.appendRow(Item(SECRET))
    view.setModel(model)
    view.show()
    view.setCurrentIndex(model.index(0, 0))
    assert secrets().found_in(copied_from([view]))


def test_a_row_that_can_be_dragged_is_found(window: QMainWindow) -> None:
    class Dragged(Items):
        def mimeData(self, _rows: object) -> QMimeData:  # noqa: N802
            data = QMimeData()
            data.setText(SECRET)
            return data

    view, model = QListView(window), Dragged(window)
    model.appendRow(Item("1"))
    view.setModel(model)
    view.setDragEnabled(False)
    assert not secrets().found_in(all_texts())
    view.setDragEnabled(True)
    assert secrets().found_in(all_texts())


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("n01440764/snitch_0001.jpeg", True),
        ("file:///d/n01440764%252FSnitch_0001.JPEG", True),
        ("…itch_0001", True),
        ("snitc…", True),
        ("sni…", False),
        ("a snitch", False),
        ("n01440764 › tench", False),
    ],
)
def test_a_word_is_known_however_it_is_written(text: str, tells: bool) -> None:
    assert bool(secrets().in_text(text)) is tells
