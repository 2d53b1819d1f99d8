"""A table of figures, as Qt's views want it."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from labeler.app.data_views import DataTable, TableCell, TableColumn
from labeler.ui.window.look import Appearance

CELL_ROLE = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class SortableTableModel(QAbstractTableModel):
    """Rows that are replaced as a whole, and ordered by one column after another."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
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
                return self._look.colour("accent" if cell.behind else "text")
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
