"""A table of results: text in cells that sorts as numbers where it begins with one."""

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem

from labeler.app.keymap import Action, Keymap, Scope
from labeler.report.table import NONE, Table
from labeler.ui.actions import bind

if TYPE_CHECKING:
    from labeler.core.metrics.behind import Behind

_NUMBER = re.compile(r"[+−-]?[\d,]*\.?\d+")
_PLACE = Qt.ItemDataRole.UserRole
_WIDEST = 360


class _Cell(QTableWidgetItem):
    def __lt__(self, other: QTableWidgetItem) -> bool:
        return _order(self.text()) < _order(other.text())


class ResultsTable(QTableWidget):
    """A head sorts. Of a cell that leads to images, `opened` tells what it stands for."""

    opened = Signal(object)

    def __init__(self, keymap: Keymap, name: str) -> None:
        super().__init__()
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
        self._shown: Table | None = None
        self.cellClicked.connect(lambda _row, _column: self.open_current())
        keys = {Action.OPEN_FIGURE: self.open_current, Action.ORDER_FIGURES: self.sort_by_current}
        bind(self, keymap, Scope.FIGURES, keys)

    def show_table(self, table: Table) -> None:
        """Show the cells; those with images behind them lead on."""
        if table is self._shown:
            return
        self._shown = table
        self.setSortingEnabled(False)
        self.clear()
        self.setRowCount(len(table.rows))
        self.setColumnCount(len(table.columns))
        self._show_head(table)
        for row, cells in enumerate(table.rows):
            for column, text in enumerate(cells):
                self.setItem(row, column, self._cell(table, row, column, text))
        # Until a head is pressed, rows stand in the table's own order.
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.resizeColumnsToContents()
        for column in range(self.columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column), _WIDEST))

    def open_current(self) -> None:
        """Show the images behind the cell; without any in it, nothing happens."""
        behind = self._behind_item(self.currentItem())
        if behind is not None:
            self.opened.emit(behind)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        leads = self._behind_item(self.itemAt(QPoint(event.position().toPoint()))) is not None
        hand = Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand)

    def _behind_item(self, item: QTableWidgetItem | None) -> "Behind | None":
        if item is None or self._shown is None:
            return None
        return self._shown.behind.get(tuple(item.data(_PLACE)))

    def _show_head(self, table: Table) -> None:
        """The titles, each on the side on which its cells stand."""
        for number, column in enumerate(table.columns):
            head = QTableWidgetItem(column.title)
            side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
            head.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(number, head)

    def _cell(self, table: Table, row: int, column: int, text: str) -> QTableWidgetItem:
        cell = _Cell(text)
        cell.setData(_PLACE, (row, column))
        if table.columns[column].number:
            cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        cell.setToolTip(_hint(table, row, column))
        return cell

    def sort_by_current(self) -> None:
        """Sort by the current column, or turn the order around."""
        head, column = self.horizontalHeader(), max(self.currentColumn(), 0)
        again = head.sortIndicatorSection() == column
        turned = again and head.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        order = Qt.SortOrder.AscendingOrder if turned else Qt.SortOrder.DescendingOrder
        self.sortItems(column, order)


def _hint(table: Table, row: int, column: int) -> str:
    """What a click on the cell would do, or why it does nothing."""
    text, behind = table.rows[row][column], table.behind.get((row, column))
    if behind is not None:
        return f"Show the images behind {text}: {behind.heading}"
    if text == NONE:
        return "There is no number here, and so there are no images behind it."
    if text == "0":
        return "There is no such image."
    if table.behind:
        return f"{text}\nThe numbers in this row lead to their images."
    return text


def _order(text: str) -> tuple[int, float, str]:
    """Numbers before words, what is missing last."""
    found = _NUMBER.match(text)
    if found is None:
        return (2 if text == "–" else 1), 0.0, text.casefold()
    return 0, float(found[0].replace(",", "").replace("−", "-")), text
