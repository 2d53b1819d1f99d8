"""A table of results: text in cells that sorts as numbers, and numbers that lead to images."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from labeler.app.keymap import Action, Keymap, Scope
from labeler.report.table import ReportTable
from labeler.ui.results.results_table_model import ResultsTableModel
from labeler.ui.window.actions import bind_scope

_MAX_COLUMN_WIDTH, _MEASURED_ROWS = 360, 8


class ResultsTable(QTableView):
    """A head sorts. Of a cell that leads to images, `opened` tells what it stands for."""

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
        """Show the cells; those with images behind them lead on."""
        if table is self._cells.table:
            return
        self.setSortingEnabled(False)
        self._cells.show(table)
        # Until a head is pressed, rows stand in the table's own order.
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        # Before it is first shown it doesn't know the type and the room that its style gives cells.
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
        """Show the images behind the cell; without any in it, nothing happens."""
        self._open(self.currentIndex())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        leads = self._cells.behind(self.indexAt(event.position().toPoint())) is not None
        hand = Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand)

    def sort_by_current(self) -> None:
        """Sort by the current column, or turn the order around."""
        head, column = self.horizontalHeader(), max(self.currentIndex().column(), 0)
        again = head.sortIndicatorSection() == column
        turned = again and head.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        order = Qt.SortOrder.AscendingOrder if turned else Qt.SortOrder.DescendingOrder
        self.sortByColumn(column, order)

    def _width(self, column: int) -> int:
        """What the head and the longest texts need: a hundred columns of all rows take too long."""
        head = self.horizontalHeader().sectionSizeHint(column)
        # The text with the most letters isn't always the widest.
        longest = self._cells.longest(column, cells=_MEASURED_ROWS)
        return min(
            max(head, *(self.sizeHintForIndex(i).width() for i in longest), 0), _MAX_COLUMN_WIDTH
        )

    def _open(self, index: QModelIndex) -> None:
        behind = self._cells.behind(index)
        if behind is not None:
            self.opened.emit(behind)
