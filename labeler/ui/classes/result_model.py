"""The classes found, as Qt's lists want them."""

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt

from labeler.app.classes.class_view import ClassListRow

RESULT_ROW_ROLE = Qt.ItemDataRole.UserRole


class ClassResultModel(QStringListModel):
    """A list of rows that is replaced as a whole.

    When it is, Qt asks for each row's place and with it for their number. It must not have to ask
    Python a thousand times: each time the window's thread might have to wait for another's turn.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[ClassListRow, ...] = ()

    def show(self, rows: tuple[ClassListRow, ...]) -> None:
        """Replace the rows; the same tuple again changes nothing."""
        if rows is not self._rows:
            self._rows = rows
            self.setStringList([row.name for row in rows])

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        row = self._rows[index.row()]
        if role == RESULT_ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{row.note}. {row.path}"
        return None
