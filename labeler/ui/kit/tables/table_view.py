"""The table widget of the program: a model of rows and columns, and a view that sorts and opens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.window.actions import bind_scope

Row = TypeVar("Row")
AnyIndex = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole

_ASCENDING, _DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
_NO_PARENT = QModelIndex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Generic[Row]):
    """A column of a table: its title, and what a row shows in it.

    Numbers are right-aligned, and sorted from the largest first. `source` is what a click on the
    cell opens. A column with `check_state` has a check box before its text.
    """

    title: str
    text: Callable[[Row], str]
    numeric: bool = False
    explained: str = ""
    order: Callable[[Row], Any] | None = None
    tooltip: Callable[[Row], str] | None = None
    source: Callable[[Row], object | None] | None = None
    colour: Callable[[Row], QColor] | None = None
    icon: Callable[[Row], QIcon] | None = None
    check_state: Callable[[Row], Qt.CheckState] | None = None

    @property
    def alignment(self) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self.numeric else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


def _role_functions(column: Column[Any]) -> dict[int, Callable[[Any], Any]]:
    """Return what a cell of the column shows in each of Qt's roles."""
    role = Qt.ItemDataRole
    shown: dict[int, Callable[[Any], Any] | None] = {
        role.DisplayRole: column.text,
        role.ToolTipRole: column.tooltip or column.text,
        role.TextAlignmentRole: lambda _row: column.alignment,
        role.AccessibleTextRole: lambda row: f"{column.title}: {column.text(row) or 'none'}",
        role.ForegroundRole: column.colour,
        role.DecorationRole: column.icon,
        role.CheckStateRole: column.check_state,
    }
    return {role: function for role, function in shown.items() if function is not None}


class TableModel(QAbstractTableModel):
    """Rows that are replaced as a whole, and can be sorted by any column."""

    toggled = Signal(int)  # the row whose box was clicked

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[Column[Any], ...] = ()
        self._rows: Sequence[Any] = ()
        self._order: list[int] = []
        self._shown: list[dict[int, Callable[[Any], Any]]] = []

    @property
    def columns(self) -> tuple[Column[Any], ...]:
        return self._columns

    def show(self, columns: Sequence[Column[Row]], rows: Sequence[Row]) -> None:
        """Show other columns and rows, in the order in which they come."""
        self.beginResetModel()
        self._columns, self._rows = tuple(columns), rows
        self._shown = [_role_functions(column) for column in columns]
        self._order = list(range(len(rows)))
        self.endResetModel()

    def update_rows(self, rows: Sequence[Row]) -> None:
        """Show new contents of the same rows: nothing moves, and the current row stays."""
        assert len(rows) == len(self._rows), "the rows are the same"
        self._rows = rows
        self.repaint()

    def repaint(self) -> None:
        """Have the view ask for every cell again."""
        if self._rows:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def row_at(self, index: AnyIndex) -> Any:
        """Return the row behind a cell, or None."""
        return self._rows[self._order[index.row()]] if index.isValid() else None

    def source(self, index: AnyIndex) -> object | None:
        """Return what a click on the cell opens, or None."""
        if not index.isValid():
            return None
        source = self._columns[index.column()].source
        return source(self.row_at(index)) if source is not None else None

    def rowCount(self, parent: AnyIndex = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: AnyIndex = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        has_box = index.isValid() and self._columns[index.column()].check_state is not None
        return flags | Qt.ItemFlag.ItemIsUserCheckable if has_box else flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if role == ROW_ROLE:
            return row
        shown = self._shown[index.column()].get(role)
        return shown(row) if shown is not None else None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        if Qt.CheckState(value) != self.data(index, role):
            self.toggled.emit(index.row())
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        column = self._columns[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.title
            case Qt.ItemDataRole.ToolTipRole:
                return column.explained or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return column.alignment
            case Qt.ItemDataRole.InitialSortOrderRole:
                return (_DESCENDING if column.numeric else _ASCENDING).value
        return None

    def sort(self, column: int, order: Qt.SortOrder = _ASCENDING) -> None:
        """Sort by a column; -1 restores the order in which the rows came."""
        before = self._order
        self.layoutAboutToBeChanged.emit()
        self._order = list(range(len(self._rows)))
        if column >= 0:
            key = self._columns[column].order or self._columns[column].text
            self._order.sort(key=lambda n: key(self._rows[n]), reverse=order is _DESCENDING)
        places = {number: place for place, number in enumerate(self._order)}
        held = self.persistentIndexList()
        moved = [self.index(places[before[index.row()]], index.column()) for index in held]
        self.changePersistentIndexList(held, moved)
        self.layoutChanged.emit()


class TableView(QTableView):
    """Shows rows. `opened` carries what a clicked cell represents, where it represents something.

    With a keymap, a click on a title sorts, and keys sort and open. With `whole_rows` rows are
    selected instead of cells.
    """

    opened = Signal(object)
    resized = Signal()

    def __init__(
        self,
        name: str,
        *,
        keymap: Keymap | None = None,
        whole_rows: bool = False,
        row_padding: int | None = None,
    ) -> None:
        """`row_padding` is what a row is higher than its text; None leaves it to the style."""
        super().__init__()
        self.cells = TableModel()
        self._row_padding = row_padding
        self._is_sortable = keymap is not None
        self.setModel(self.cells)
        self.setObjectName("figures")
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        if whole_rows:
            self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionsClickable(self._is_sortable)
        self.fit_rows()
        if keymap is not None:
            self._make_sortable(keymap)

    @property
    def rows(self) -> int:
        return self.cells.rowCount()

    @property
    def columns(self) -> int:
        return self.cells.columnCount()

    def show_rows(self, columns: Sequence[Column[Row]], rows: Sequence[Row]) -> None:
        """Show other columns and rows; until a title is clicked, in the order they come in."""
        self.setSortingEnabled(False)
        self.cells.show(columns, rows)
        if self._is_sortable:
            self.horizontalHeader().setSortIndicator(-1, _ASCENDING)
            self.setSortingEnabled(True)

    def text_at(self, row: int, column: int) -> str:
        return str(self.cells.index(row, column).data())

    def go_to(self, row: int, column: int) -> None:
        """Make a cell the current one."""
        self.setCurrentIndex(self.cells.index(row, column))

    def open_current(self) -> None:
        """Open what the current cell represents; if it represents nothing, nothing happens."""
        self._open(self.currentIndex())

    def sort_by_current(self) -> None:
        """Sort by the current column, or reverse the order."""
        header, column = self.horizontalHeader(), max(self.currentIndex().column(), 0)
        role = Qt.ItemDataRole.InitialSortOrderRole
        order = Qt.SortOrder(self.cells.headerData(column, Qt.Orientation.Horizontal, role))
        if header.sortIndicatorSection() == column:
            order = _ASCENDING if header.sortIndicatorOrder() is _DESCENDING else _DESCENDING
        self.sortByColumn(column, order)

    def fit_rows(self) -> None:
        """Make the rows as high as the text needs."""
        if self._row_padding is not None:
            height = self.fontMetrics().height() + self._row_padding
            self.verticalHeader().setDefaultSectionSize(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        opens = self.cells.source(self.indexAt(event.position().toPoint())) is not None
        hand = Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand)

    def _make_sortable(self, keymap: Keymap) -> None:
        self.setMouseTracking(True)
        self.clicked.connect(self._open)
        keys = {Action.OPEN_FIGURE: self.open_current, Action.ORDER_FIGURES: self.sort_by_current}
        bind_scope(self, keymap, Scope.FIGURES, keys)

    def _open(self, index: QModelIndex) -> None:
        source = self.cells.source(index)
        if source is not None:
            self.opened.emit(source)
