"""The classes found, as Qt's lists want them."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from labeler.app.presenters.class_views import ResultRow

ROW = Qt.ItemDataRole.UserRole


class ResultModel(QAbstractListModel):
    """A list of rows that is replaced as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[ResultRow, ...] = ()

    def show(self, rows: tuple[ResultRow, ...]) -> None:
        """Replace the rows; the same tuple again changes nothing."""
        if rows is not self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{row.note}. {row.path}"
        return None
