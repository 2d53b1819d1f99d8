"""timm's models that were found, as Qt's views want them; each can be ticked."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from labeler.app.models.model_finder import FoundModel

_TITLES = ("Model", "Parameters", "Input", "Outputs", "Weights")

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_TICKABLE = Qt.ItemFlag.ItemIsUserCheckable


class FoundModelsModel(QAbstractTableModel):
    """What is ticked stays so while something else is searched."""

    ticked_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[FoundModel, ...] = ()
        self._results: tuple[str, ...] = ()
        self._ticked: dict[str, None] = {}

    @property
    def ticked(self) -> tuple[str, ...]:
        """The names of the ticked models, in the order in which they were."""
        return tuple(self._ticked)

    def show(self, rows: Sequence[FoundModel], results: Sequence[str]) -> None:
        self.beginResetModel()
        self._rows, self._results = tuple(rows), tuple(results)
        self.endResetModel()

    def toggle(self, row: int) -> None:
        name = self._rows[row].name
        if name in self._ticked:
            del self._ticked[name]
        else:
            self._ticked[name] = None
        self.dataChanged.emit(self.index(row, 0), self.index(row, 0))
        self.ticked_changed.emit()

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(_TITLES) + len(self._results)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | _TICKABLE if index.column() == 0 else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self._rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return _texts(row)[column]
            case Qt.ItemDataRole.CheckStateRole if column == 0:
                ticked = row.name in self._ticked
                return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column():
            return False
        if value != self.data(index, role):
            self.toggle(index.row())
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        published = tuple(f"Top-1 {title}" for title in self._results)
        return (*_TITLES, *published)[section]


def _texts(row: FoundModel) -> tuple[str, ...]:
    return (row.name, row.parameters, row.input, row.outputs, row.weights, *row.published)


def _alignment(column: int) -> Qt.AlignmentFlag:
    left = column in (0, _TITLES.index("Weights"))
    side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
