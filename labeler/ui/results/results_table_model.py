"""The cells of a table of results for a view, which asks for those in sight."""

import heapq
import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from labeler.report.table import NO_VALUE, ReportTable

if TYPE_CHECKING:
    from labeler.core.metrics.cell_source import EvaluationSource

_NUMBER = re.compile(r"[+−-]?[\d,]*\.?\d+")
_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ResultsTableModel(QAbstractTableModel):
    """A table that is replaced as a whole; text sorts as a number where it begins with one."""

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

    def behind(self, index: _Index) -> "EvaluationSource | None":
        """What the cell stands for."""
        if self._table is None or not index.isValid():
            return None
        return self._table.behind.get((self._order[index.row()], index.column()))

    def longest(self, column: int, *, cells: int) -> list[QModelIndex]:
        """The cells with the longest texts of a column, at most so many."""
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
        """The titles, each on the side on which its cells stand."""
        if orientation is Qt.Orientation.Horizontal and self._table is not None:
            if role == Qt.ItemDataRole.DisplayRole:
                return self._table.columns[section].title
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return self._side(section)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column; by none, in the table's own order."""
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
        assert self._table is not None, "a column is one of a table"
        return _RIGHT if self._table.columns[column].number else _LEFT


def _cell_tooltip(table: ReportTable, row: int, column: int) -> str:
    """What a click on the cell would do, or why it does nothing."""
    text, behind = table.rows[row][column], table.behind.get((row, column))
    if behind is not None:
        return f"Show the images behind {text}: {behind.heading}"
    if text == NO_VALUE:
        return "There is no number here, and so there are no images behind it."
    if text == "0":
        return "There is no such image."
    if table.behind:
        return f"{text}\nThe numbers in this row lead to their images."
    return text


def _sort_key(text: str) -> tuple[int, float, str]:
    """Numbers before words, what is missing last."""
    found = _NUMBER.match(text)
    if found is None:
        return (2 if text == NO_VALUE else 1), 0.0, text.casefold()
    return 0, float(found[0].replace(",", "").replace("−", "-")), text
