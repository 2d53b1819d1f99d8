"""Reads everything that a running window tells: to the eye, the pointer, a screen reader, a paste.

Nothing here knows the program's own widgets, so that a leak in one that comes later is found too.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractProxyModel,
    QByteArray,
    QCoreApplication,
    QEvent,
    QMimeData,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    QUrl,
)
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QGuiApplication,
    QHelpEvent,
    QIcon,
    QImage,
    QKeySequence,
    QPixmap,
    QTextDocument,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTabBar, QToolTip, QWidget
from shiboken6 import isValid

from tests.gui.painted_text import painted_texts

_USER = int(Qt.ItemDataRole.UserRole)
ROLES = (*sorted({int(role) for role in Qt.ItemDataRole} - {_USER}), *range(_USER, _USER + 33))
_HEADINGS = (Qt.Orientation.Horizontal, Qt.Orientation.Vertical)
_HOVERED = tuple(product(range(1, 8), repeat=2))
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
# Python can't read it.
_OF_THE_BINDING = "_PySideInvalidatePtr"
# Sizes, colours and the like, which hold no text.
_OF_QT = "PySide6."
_CONTROL = Qt.KeyboardModifier.ControlModifier


@dataclass(frozen=True, order=True)
class FoundText:
    """A text, and where it was found."""

    where: str
    text: str


def all_texts() -> list[FoundText]:
    """Whatever can be seen, hovered, heard or found in the application, shown or hidden."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    tops = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    seen = [texts for top in tops for texts in (*_painted(top), *_hovered(top))]
    return _kept([*_of_application(), *texts_by(QApplication.allWidgets()), *seen])


def texts_by(widgets: Iterable[QWidget]) -> list[FoundText]:
    """The same of some widgets and all that belongs to them."""
    things = {thing for widget in widgets for thing in (widget, *widget.findChildren(QObject))}
    # Reading a text makes Qt lay it out, and let parts of the layout before go.
    texts = [text for thing in things if isValid(thing) for text in _of_object(thing)]
    return _kept([*texts, *(text for model in _models(things) for text in _of_model(model))])


def copied_from(widgets: Iterable[QWidget]) -> list[FoundText]:
    """What is on the clipboard after everything that can be selected in a widget is copied."""
    clipboard, texts = QGuiApplication.clipboard(), []
    for widget in filter(isValid, widgets):
        if widget.isVisible() and widget.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            clipboard.clear()
            widget.setFocus()
            QTest.keyClick(widget, Qt.Key.Key_A, _CONTROL)
            QTest.keyClick(widget, Qt.Key.Key_C, _CONTROL)
            texts += _of_mime(f"copied from {_name(widget)}", clipboard.mimeData())
    clipboard.clear()
    return _kept(texts)


def _kept(texts: Iterable[FoundText]) -> list[FoundText]:
    """Without what is empty, and without addresses in memory, which differ each time."""
    return [FoundText(each.where, _ADDRESS.sub("0x", each.text)) for each in texts if each.text]


def _name(thing: QObject) -> str:
    return f"{type(thing).__name__} {thing.objectName()}".strip()


def _of_application() -> Iterator[FoundText]:
    yield FoundText("the program's name", QGuiApplication.applicationDisplayName())
    yield FoundText("the program's arguments", " ".join(QCoreApplication.arguments()))
    for window in QGuiApplication.allWindows():
        yield FoundText(f"the title of {_name(window)}", window.title())
        yield FoundText(f"the file of {_name(window)}", window.filePath())


def _of_object(thing: QObject) -> Iterator[FoundText]:
    """Every property that Qt or anyone else gave it, and what a screen reader asks for."""
    meta = thing.metaObject()
    for number in range(meta.propertyCount()):
        one = meta.property(number)
        yield from _of_value(f"{one.name()} of {_name(thing)}", one.read(thing))
    for name in thing.dynamicPropertyNames():
        called = bytes(name.data()).decode()
        if called != _OF_THE_BINDING:
            yield FoundText(f"property of {_name(thing)}", called)
            yield from _of_value(f"{called} of {_name(thing)}", thing.property(called))
    yield from _heard(thing)
    if isinstance(thing, QAction):
        yield from _of_value(f"data of {_name(thing)}", thing.data())
    if isinstance(thing, QTextDocument):
        yield from _of_document(thing)
    if isinstance(thing, QTabBar):
        yield from _of_tabs(thing)
    if isinstance(thing, QAbstractItemView) and thing.dragEnabled():
        yield from _dragged(thing)


def _of_value(where: str, value: object) -> Iterator[FoundText]:
    match value:
        case QUrl() | QKeySequence():
            yield FoundText(where, value.toString())
        case QIcon():
            yield FoundText(where, value.name())
        case QPixmap():
            yield from _of_image(where, value.toImage())
        case QImage():
            yield from _of_image(where, value)
        case QByteArray():
            yield FoundText(where, bytes(value.data()).decode("utf-8", errors="replace"))
        case str():
            yield FoundText(where, value)
        case None | bool() | int() | float():
            return
        case _ if not type(value).__module__.startswith(_OF_QT):
            yield FoundText(where, repr(value))


def _of_image(where: str, image: QImage) -> Iterator[FoundText]:
    for key in image.textKeys():
        yield FoundText(f"words in the image, {where}", f"{key}: {image.text(key)}")


def _of_document(document: QTextDocument) -> Iterator[FoundText]:
    for kind in QTextDocument.MetaInformation:
        yield FoundText(f"{kind.name} of a text", document.metaInformation(kind))
    yield FoundText("a text", document.toPlainText())
    yield FoundText("a text with its marks", document.toHtml())


def _of_tabs(tabs: QTabBar) -> Iterator[FoundText]:
    for number in range(tabs.count()):
        for text in (tabs.tabText, tabs.tabToolTip, tabs.tabWhatsThis, tabs.accessibleTabName):
            yield FoundText(f"a tab of {_name(tabs)}", text(number))
        yield from _of_value(f"data of a tab of {_name(tabs)}", tabs.tabData(number))


def _heard(thing: QObject) -> Iterator[FoundText]:
    interface = QAccessible.queryAccessibleInterface(thing)
    if interface is not None:
        for kind in QAccessible.Text:
            yield FoundText(f"{_name(thing)} heard, {kind.name}", interface.text(kind))


def _dragged(view: QAbstractItemView) -> Iterator[FoundText]:
    model = view.model()
    rows = [model.index(row, 0) for row in range(model.rowCount(QModelIndex()))]
    yield from _of_mime(f"dragged from {_name(view)}", model.mimeData(rows))


def _of_mime(where: str, data: QMimeData | None) -> Iterator[FoundText]:
    if data is None:
        return
    for kind in data.formats():
        held = bytes(data.data(kind).data())
        yield FoundText(f"{kind} {where}", held.decode("utf-8", errors="replace"))
        # Qt's own formats hold their texts in two bytes a letter.
        yield FoundText(
            f"{kind} {where}", held.replace(b"\0", b"").decode("utf-8", errors="replace")
        )
    if data.hasImage():
        yield from _of_value(where, data.imageData())


def _models(things: Iterable[QObject]) -> set[QAbstractItemModel]:
    """The lists and trees behind widgets, and those behind these."""
    found: set[QAbstractItemModel] = set()
    for thing in filter(isValid, things):
        behind = getattr(thing, "model", None)
        model = behind() if callable(behind) else behind
        while isinstance(model, QAbstractItemModel):
            found.add(model)
            model = model.sourceModel() if isinstance(model, QAbstractProxyModel) else None
    return found


def _of_model(model: QAbstractItemModel) -> Iterator[FoundText]:
    top = QModelIndex()
    counts = len(_columns(model, top)), model.rowCount(top)
    for direction, sections in zip(_HEADINGS, counts, strict=True):
        for section, role in product(range(sections), ROLES):
            value = model.headerData(section, direction, role)
            if value is not None:
                yield from _of_value(f"heading in {_name(model)}, role {role}", value)
    yield from _of_rows(model, top)


def _of_rows(model: QAbstractItemModel, above: QModelIndex) -> Iterator[FoundText]:
    for row, column in product(range(model.rowCount(above)), _columns(model, above)):
        index = model.index(row, column, above)
        for role in ROLES:
            value = model.data(index, role)
            # Asked first, as most roles of most rows hold nothing.
            if value is not None:
                yield from _of_value(f"row {row} in {_name(model)}, role {role}", value)
        if column == 0:
            yield from _of_rows(model, index)


def _columns(model: QAbstractItemModel, above: QModelIndex) -> range:
    try:
        return range(model.columnCount(above))
    except TypeError:  # a list hides that it has one
        return range(1)


def _painted(top: QWidget) -> Iterator[FoundText]:
    texts = painted_texts(top)
    yield from (FoundText(f"painted on {_name(top)}", text) for text in texts)
    # A word in several styles is painted in pieces.
    yield FoundText(f"painted on {_name(top)}", "".join(texts))


def _hovered(top: QWidget) -> Iterator[FoundText]:
    for widget in (top, *top.findChildren(QWidget)):
        # A tip is a widget too, and goes when the next one comes.
        if isValid(widget) and widget.isVisible():
            for across, down in _HOVERED:
                place = QPoint(widget.width() * across // 8, widget.height() * down // 8)
                tip = QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place))
                QApplication.sendEvent(widget, tip)
                yield FoundText(f"hovered over {_name(widget)}", QToolTip.text())
    QToolTip.hideText()
