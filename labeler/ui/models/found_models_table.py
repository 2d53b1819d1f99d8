"""A table of models to tick: Space or a click ticks, the arrows move."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from labeler.app.models.model_finder import FoundModel
from labeler.ui.window.icons import paint_icon
from labeler.ui.window.theme import Appearance

_TITLES = ("Model", "Parameters", "Input", "Outputs", "Weights")

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_TICKABLE = Qt.ItemFlag.ItemIsUserCheckable


class FoundModelsModel(QAbstractTableModel):
    """What is ticked stays so while something else is searched."""

    ticked_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[FoundModel, ...] = ()
        self._results: tuple[str, ...] = ()
        self._ticked: dict[str, None] = {}

    @property
    def ticked(self) -> tuple[str, ...]:
        """The names of the ticked models, in the order in which they were."""
        return tuple(self._ticked)

    def show(self, rows: Sequence[FoundModel], results: Sequence[str]) -> None:
        self.beginResetModel()
        self._rows, self._results = tuple(rows), tuple(results)
        self.endResetModel()

    def toggle(self, row: int) -> None:
        name = self._rows[row].name
        if name in self._ticked:
            del self._ticked[name]
        else:
            self._ticked[name] = None
        self.dataChanged.emit(self.index(row, 0), self.index(row, 0))
        self.ticked_changed.emit()

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(_TITLES) + len(self._results)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | _TICKABLE if index.column() == 0 else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self._rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return _texts(row)[column]
            case Qt.ItemDataRole.CheckStateRole if column == 0:
                ticked = row.name in self._ticked
                return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column():
            return False
        if value != self.data(index, role):
            self.toggle(index.row())
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        published = tuple(f"Top-1 {title}" for title in self._results)
        return (*_TITLES, *published)[section]


def _texts(row: FoundModel) -> tuple[str, ...]:
    return (row.name, row.parameters, row.input, row.outputs, row.weights, *row.published)


def _alignment(column: int) -> Qt.AlignmentFlag:
    left = column in (0, _TITLES.index("Weights"))
    side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


_BOX = 20


class CheckBoxDelegate(QStyledItemDelegate):
    """Paints the program's box over Qt's, whose outline the dark theme swallows."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        style = option.widget.style() if option.widget is not None else QApplication.style()
        part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        box = QRectF(0, 0, _BOX, _BOX)
        box.moveCenter(QRectF(style.subElementRect(part, cell, option.widget)).center())
        ticked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        background = self._appearance.colour("accent_soft" if chosen else "surface")
        painter.fillRect(box, background)
        paint_icon(
            painter,
            box,
            "ticked" if ticked else "unticked",
            colour=self._appearance.colour("accent" if ticked else "strong_line").name(),
            background=background.name(),
        )


_ROW_PADDING = 12


class FoundModelsTable(QTableView):
    """Whole rows are chosen, each with a box before its name."""

    def __init__(self, appearance: Appearance, model: FoundModelsModel) -> None:
        super().__init__()
        self._model = model
        self._ticks = CheckBoxDelegate(appearance)
        self.setModel(model)
        self.setItemDelegateForColumn(0, self._ticks)
        self.setObjectName("figures")
        self.setAccessibleName("Models that were found")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _ROW_PADDING)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionsClickable(False)
        self.doubleClicked.connect(lambda index: self._model.toggle(index.row()))

    def fit(self) -> None:
        """The name takes what room the other columns leave."""
        header = self.horizontalHeader()
        # Looking at every one of two thousand rows would take longer than typing a letter.
        header.setResizeContentsPrecision(0)
        for column in range(1, self._model.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def enter(self) -> None:
        """Take the keyboard, at the first row where none is chosen yet."""
        if not self.currentIndex().isValid() and self._model.rowCount():
            self.setCurrentIndex(self._model.index(0, 0))
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self._model.toggle(self.currentIndex().row())
        else:
            super().keyPressEvent(event)
