"""A table of results: cells sort as numbers, and numbers open their images."""

import heapq
import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from labeler.app.keymap import Action, Keymap, Scope
from labeler.report.table import NO_VALUE, ReportTable
from labeler.ui.window.actions import bind_scope

if TYPE_CHECKING:
    from labeler.core.metrics.cell_source import EvaluationSource


_NUMBER = re.compile(r"[+−-]?[\d,]*\.?\d+")
_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ResultsTableModel(QAbstractTableModel):
    """A table that is replaced as a whole; texts that begin with a number sort as numbers."""

    def __init__(self) -> None:
        super().__init__()
        self._table: ReportTable | None = None
        self._order: list[int] = []

    @property
    def table(self) -> ReportTable | None:
        return self._table

    def show(self, table: ReportTable) -> None:
        self.beginResetModel()
        self._table, self._order = table, list(range(len(table.rows)))
        self.endResetModel()

    def source(self, index: _Index) -> "EvaluationSource | None":
        """Return the source of the cell."""
        if self._table is None or not index.isValid():
            return None
        return self._table.sources.get((self._order[index.row()], index.column()))

    def longest(self, column: int, *, cells: int) -> list[QModelIndex]:
        """Return the cells with the longest texts of a column."""
        rows = () if self._table is None else self._table.rows
        longest = heapq.nlargest(
            cells, range(len(rows)), key=lambda n: len(rows[self._order[n]][column])
        )
        return [self.index(row, column) for row in longest]

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() or self._table is None else len(self._table.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._table is None:
            return None
        row, column = self._order[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._table.rows[row][column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _cell_tooltip(self._table, row, column)
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Return the titles, aligned like their cells."""
        if orientation is Qt.Orientation.Horizontal and self._table is not None:
            if role == Qt.ItemDataRole.DisplayRole:
                return self._table.columns[section].title
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return self._side(section)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by none, in the table's own order."""
        if self._table is None:
            return
        rows, old = self._table.rows, list(self._order)
        self.layoutAboutToBeChanged.emit()
        self._order = list(range(len(rows)))
        if column >= 0:
            turned = order is Qt.SortOrder.DescendingOrder
            self._order.sort(key=lambda row: _sort_key(rows[row][column]), reverse=turned)
        places = {row: place for place, row in enumerate(self._order)}
        held = self.persistentIndexList()
        moved = [self.index(places[old[index.row()]], index.column()) for index in held]
        self.changePersistentIndexList(held, moved)
        self.layoutChanged.emit()

    def _side(self, column: int) -> Qt.AlignmentFlag:
        assert self._table is not None, "a table must be shown"
        return _RIGHT if self._table.columns[column].number else _LEFT


def _cell_tooltip(table: ReportTable, row: int, column: int) -> str:
    """Return what a click on the cell does, or why it does nothing."""
    text, source = table.rows[row][column], table.sources.get((row, column))
    if source is not None:
        return f"Show the images of {text}: {source.heading}"
    if text == NO_VALUE:
        return "There is no number here, so there are no images."
    if text == "0":
        return "There are no images."
    if table.sources:
        return f"{text}\nClick a number in this row to see its images."
    return text


def _sort_key(text: str) -> tuple[int, float, str]:
    """Sort key: numbers before words, missing values last."""
    found = _NUMBER.match(text)
    if found is None:
        return (2 if text == NO_VALUE else 1), 0.0, text.casefold()
    return 0, float(found[0].replace(",", "").replace("−", "-")), text


_MAX_COLUMN_WIDTH, _MEASURED_ROWS = 360, 8


class ResultsTable(QTableView):
    """A table that sorts by its header; `opened` is emitted with the source of a cell."""

    opened = Signal(object)

    def __init__(self, keymap: Keymap, name: str) -> None:
        super().__init__()
        self._cells = ResultsTableModel()
        self.setModel(self._cells)
        self.setObjectName("figures")
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.clicked.connect(self._open)
        keys = {Action.OPEN_FIGURE: self.open_current, Action.ORDER_FIGURES: self.sort_by_current}
        bind_scope(self, keymap, Scope.FIGURES, keys)

    def show_table(self, table: ReportTable) -> None:
        """Show the table."""
        if table is self._cells.table:
            return
        self.setSortingEnabled(False)
        self._cells.show(table)
        # Until a header is clicked, rows are in the table's own order.
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        # Before it is first shown, the style's font and cell margins are unknown.
        self.ensurePolished()
        self.horizontalHeader().ensurePolished()
        for column in range(self.columns):
            self.setColumnWidth(column, self._width(column))

    @property
    def rows(self) -> int:
        return self._cells.rowCount()

    @property
    def columns(self) -> int:
        return self._cells.columnCount()

    def text_at(self, row: int, column: int) -> str:
        return str(self._cells.index(row, column).data())

    def go_to(self, row: int, column: int) -> None:
        """Make a cell the current one."""
        self.setCurrentIndex(self._cells.index(row, column))

    def open_current(self) -> None:
        """Show the images of the cell, if it has any."""
        self._open(self.currentIndex())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        leads = self._cells.source(self.indexAt(event.position().toPoint())) is not None
        hand = Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand)

    def sort_by_current(self) -> None:
        """Sort by the current column, or reverse the order."""
        head, column = self.horizontalHeader(), max(self.currentIndex().column(), 0)
        again = head.sortIndicatorSection() == column
        turned = again and head.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        order = Qt.SortOrder.AscendingOrder if turned else Qt.SortOrder.DescendingOrder
        self.sortByColumn(column, order)

    def _width(self, column: int) -> int:
        """Return the width for the header and the longest texts; measuring all rows is slow."""
        head = self.horizontalHeader().sectionSizeHint(column)
        # The longest text isn't always the widest.
        longest = self._cells.longest(column, cells=_MEASURED_ROWS)
        return min(
            max(head, *(self.sizeHintForIndex(i).width() for i in longest), 0), _MAX_COLUMN_WIDTH
        )

    def _open(self, index: QModelIndex) -> None:
        source = self._cells.source(index)
        if source is not None:
            self.opened.emit(source)
