"""The models of a study as Qt's views want them."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from labeler.app.models.models_views import ModelRow, ModelState, ModelsView
from labeler.ui.window.icons import icon
from labeler.ui.window.look import Appearance

MODEL_ROW_ROLE = Qt.ItemDataRole.UserRole
MODEL, WEIGHTS, DEVICE, STATE, PROGRESS, RATE, FIRST_TOP1 = range(7)

_TITLES = ("Model", "Weights", "Device", "State", "Progress", "Images/s")
_STATE_ICONS = {
    ModelState.NOT_STARTED: ("closed", "muted"),
    ModelState.WAITING: ("waiting", "muted"),
    ModelState.LOADING: ("waiting", "accent"),
    ModelState.RUNNING: ("arrow_right", "accent"),
    ModelState.STOPPING: ("waiting", "muted"),
    ModelState.INTERRUPTED: ("pause", "locked"),
    ModelState.MORE: ("closed", "muted"),
    ModelState.FAILED: ("damaged", "fault"),
    ModelState.FINISHED: ("open", "open"),
}
assert set(_STATE_ICONS) == set(ModelState), "every state has its shape and its colour"

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class ModelTableModel(QAbstractTableModel):
    """Rows that change while one looks at them; which one is chosen survives it."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._datasets: tuple[str, ...] = ()
        self._rows: tuple[ModelRow, ...] = ()
        look.changed.connect(self._repaint)

    def show(self, view: ModelsView) -> None:
        """Show the rows; where only their contents changed, nothing else moves."""
        same = (self._datasets, self._names(self._rows)) == (view.datasets, self._names(view.rows))
        if same:
            self._rows = view.rows
            self._repaint()
            return
        self.beginResetModel()
        self._datasets, self._rows = view.datasets, view.rows
        self.endResetModel()

    def row_of(self, name: str) -> int | None:
        return next((n for n, row in enumerate(self._rows) if row.name == name), None)

    def at(self, row: int) -> ModelRow | None:
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else FIRST_TOP1 + len(self._datasets)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self._rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return self._text(row, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self._title(column)}: {self._text(row, column) or 'none yet'}"
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.DecorationRole if column == STATE:
                name, colour = _STATE_ICONS[row.state]
                return icon(
                    name,
                    colour=self._look.colour(colour).name(),
                    behind=self._look.theme.surface,
                )
            case _ if role == MODEL_ROW_ROLE:
                return row
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._title(section)
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _title(self, column: int) -> str:
        if column < FIRST_TOP1:
            return _TITLES[column]
        return f"Top-1 {self._datasets[column - FIRST_TOP1]}"

    def _text(self, row: ModelRow, column: int) -> str:
        if column >= FIRST_TOP1:
            return row.top1[column - FIRST_TOP1]
        texts = (row.name, row.weights, row.device, row.state.value, row.progress, row.rate)
        return texts[column]

    def _repaint(self) -> None:
        if self._rows:
            last = self.index(len(self._rows) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    @staticmethod
    def _names(rows: tuple[ModelRow, ...]) -> tuple[str, ...]:
        return tuple(row.name for row in rows)


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column >= RATE else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
