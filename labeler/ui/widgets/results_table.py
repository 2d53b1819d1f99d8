"""A table of results: text in cells that sorts as numbers where it begins with one."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem

from labeler.report.table import Table

_NUMBER = re.compile(r"[+−-]?[\d,]*\.?\d+")


class _Cell(QTableWidgetItem):
    def __lt__(self, other: QTableWidgetItem) -> bool:
        return _order(self.text()) < _order(other.text())


class ResultsTable(QTableWidget):
    """Whole rows are chosen; `chose` tells the first cell of one, a head sorts."""

    chose = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName("figures")
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self._shown: Table | None = None
        self.itemSelectionChanged.connect(self._choose)

    def show_table(self, table: Table) -> None:
        if table is self._shown:
            return
        self._shown = table
        self.setSortingEnabled(False)
        self.clear()
        self.setRowCount(len(table.rows))
        self.setColumnCount(len(table.columns))
        self.setHorizontalHeaderLabels(list(table.head))
        for row, cells in enumerate(table.rows):
            for column, text in enumerate(cells):
                cell = _Cell(text)
                if table.columns[column].number:
                    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    cell.setTextAlignment(right)
                self.setItem(row, column, cell)
        # Until a head is pressed, rows stand in the table's own order.
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.resizeColumnsToContents()

    def _choose(self) -> None:
        first = self.item(self.currentRow(), 0)
        if first is not None and self.selectedItems():
            self.chose.emit(first.text())


def _order(text: str) -> tuple[int, float, str]:
    """Numbers before words, what is missing last."""
    found = _NUMBER.match(text)
    if found is None:
        return (2 if text == "–" else 1), 0.0, text.casefold()
    return 0, float(found[0].replace(",", "").replace("−", "-")), text
