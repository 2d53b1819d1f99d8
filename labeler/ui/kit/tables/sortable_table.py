"""Figures in rows that can be ordered by any column; a cell leads to the images behind it."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from labeler.app.chart_views import DataTable, ImageListSource, TableCell, TableColumn
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

CELL_ROLE = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class SortableTableModel(QAbstractTableModel):
    """Rows that are replaced as a whole, and ordered by one column after another."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._columns: tuple[TableColumn, ...] = ()
        self._rows: tuple[tuple[TableCell, ...], ...] = ()

    def show(self, table: DataTable) -> None:
        self.beginResetModel()
        self._columns, self._rows = table.columns, table.rows
        self.endResetModel()

    def cell(self, index: _Index) -> TableCell:
        return self._rows[index.row()][index.column()]

    def is_numeric(self, column: int) -> bool:
        return self._columns[column].numeric

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order the rows; those that are alike keep their order."""
        self.layoutAboutToBeChanged.emit()
        self._rows = tuple(
            sorted(
                self._rows,
                key=lambda row: row[column].order,
                reverse=order is Qt.SortOrder.DescendingOrder,
            )
        )
        self.layoutChanged.emit()

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        cell = self.cell(index)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return cell.text
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
            case Qt.ItemDataRole.ForegroundRole:
                # What leads somewhere looks like the links of the guide.
                return self._appearance.colour("accent" if cell.source else "text")
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self._columns[index.column()].title}: {cell.text}"
            case _ if role == CELL_ROLE:
                return cell
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._columns[section].explained or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = (
            Qt.AlignmentFlag.AlignRight if self.is_numeric(column) else Qt.AlignmentFlag.AlignLeft
        )
        return side | Qt.AlignmentFlag.AlignVCenter


_ROW_PADDING = 10
_MIN_LETTERS = 14


class SortableTable(QWidget):
    """Renders a table, or a sentence where it is empty."""

    opened = Signal(ImageListSource)

    def __init__(self, appearance: Appearance, keymap: Keymap, *, spread: bool = False) -> None:
        """With `spread` the room is shared by all columns, for names as short as codes."""
        super().__init__()
        self._spread = spread
        self.model = SortableTableModel(appearance)
        self.view = _ResizingTableView()
        self._message = EmptyState(appearance)
        self._stack = QStackedWidget()
        self._ordered_by: tuple[int, Qt.SortOrder] | None = None
        self._lay_out()
        self._apply_theme()
        header = self.view.horizontalHeader()
        header.sectionClicked.connect(self.order_by)
        self.view.clicked.connect(self._open)
        self.view.resized.connect(self._fit_columns)
        appearance.changed.connect(self._fit)
        keys = {
            Action.OPEN_FIGURE: lambda: self._open(self.view.currentIndex()),
            Action.ORDER_FIGURES: lambda: self.order_by(self.view.currentIndex().column()),
        }
        bind_scope(self.view, keymap, Scope.FIGURES, keys)

    def render_table(self, table: DataTable) -> None:
        """Show another table, in the order in which its rows come."""
        self.model.show(table)
        self._ordered_by = None
        header = self.view.horizontalHeader()
        header.setSortIndicatorShown(False)
        self.view.setAccessibleName(table.name)
        self._message.say(table.empty, icon="about")
        self._stack.setCurrentWidget(self.view if table.rows else self._message)
        self._fit()
        if table.rows:
            self.view.setCurrentIndex(self.model.index(0, 0))
        self.view.scrollToTop()

    def order_by(self, column: int) -> None:
        """Order by a column: names from the first, numbers from the largest; again turns it."""
        if column < 0:
            return
        rising, falling = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        order = falling if self.model.is_numeric(column) else rising
        if self._ordered_by == (column, order):
            order = rising if order is falling else falling
        self._ordered_by = (column, order)
        self.model.sort(column, order)
        header = self.view.horizontalHeader()
        header.setSortIndicatorShown(True)
        header.setSortIndicator(column, order)
        self.view.setCurrentIndex(self.model.index(0, column))
        self.view.scrollToTop()

    def _open(self, index: QModelIndex) -> None:
        source = self.model.cell(index).source if index.isValid() else None
        if source is not None:
            self.opened.emit(source)

    def _lay_out(self) -> None:
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._message)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.setFocusProxy(self.view)

    def _apply_theme(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setObjectName("figures")
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.verticalHeader().hide()
        header = view.horizontalHeader()
        header.setSectionsClickable(True)
        header.setHighlightSections(False)

    def _fit(self) -> None:
        """Numbers take the room that they need, names what is left."""
        modes = QHeaderView.ResizeMode
        header = self.view.horizontalHeader()
        for column in range(self.model.columnCount()):
            numeric = self.model.is_numeric(column) and not self._spread
            header.setSectionResizeMode(column, modes.ResizeToContents if numeric else modes.Fixed)
        self._fit_columns()
        height = self.view.fontMetrics().height() + _ROW_PADDING
        self.view.verticalHeader().setDefaultSectionSize(height)

    def _fit_columns(self) -> None:
        if self._spread:
            self._spread_columns()
        else:
            self._fit_names()

    def _spread_columns(self) -> None:
        """Every column has the room that it needs, and an equal share of what is left."""
        header, columns = self.view.horizontalHeader(), range(self.model.columnCount())
        needed = [
            max(self.view.sizeHintForColumn(column), header.sectionSizeHint(column))
            for column in columns
        ]
        left = max(0, self.view.viewport().width() - sum(needed))
        for column in columns:
            header.resizeSection(column, needed[column] + left // len(needed))

    def _fit_names(self) -> None:
        """However large the type, a name can be read; the numbers are scrolled to then."""
        header, columns = self.view.horizontalHeader(), range(self.model.columnCount())
        names = [column for column in columns if not self.model.is_numeric(column)]
        numbers = sum(header.sectionSize(column) for column in columns if column not in names)
        left = (self.view.viewport().width() - numbers) // max(1, len(names))
        least = self.view.fontMetrics().averageCharWidth() * _MIN_LETTERS
        for column in names:
            header.resizeSection(column, max(left, least))


class _ResizingTableView(QTableView):
    """Tells when there is more or less room."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()
