"""The table of models: one is chosen, and what can be done is done to that one."""

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from labeler.app.models.model_row import ModelRow, ModelState, ModelsView
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

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

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._datasets: tuple[str, ...] = ()
        self._rows: tuple[ModelRow, ...] = ()
        appearance.changed.connect(self._repaint)

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
                    colour=self._appearance.colour(colour).name(),
                    background=self._appearance.theme.surface,
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


_BAR_HEIGHT, _SIDE, _BELOW = 4, 11, 6
_WIDTH = 264
_TRACK_OPACITY = 0.4


class ProgressDelegate(QStyledItemDelegate):
    """Paints the cell as the table would, and the line below its words."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        words = QStyleOptionViewItem(option)
        words.rect = option.rect.adjusted(0, 0, 0, -_BELOW)
        super().paint(painter, words, index)
        row: ModelRow = index.data(MODEL_ROW_ROLE)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        track = QColor(self._appearance.colour("strong_line" if chosen else "line"))
        if chosen:  # its row has a colour of its own, in which the usual line drowns
            track.setAlphaF(_TRACK_OPACITY)
        self._paint_line(painter, QRectF(option.rect), row, track)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(_WIDTH, 0))

    def _paint_line(self, painter: QPainter, cell: QRectF, row: ModelRow, track: QColor) -> None:
        line = QRectF(
            cell.left() + _SIDE, cell.bottom() - _BELOW - 2, cell.width() - 2 * _SIDE, _BAR_HEIGHT
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(track)
        painter.drawRoundedRect(line, _BAR_HEIGHT / 2, _BAR_HEIGHT / 2)
        if row.done and row.total:
            line.setWidth(max(line.width() * row.done / row.total, _BAR_HEIGHT))
            painter.setBrush(self._appearance.colour("accent"))
            painter.drawRoundedRect(line, _BAR_HEIGHT / 2, _BAR_HEIGHT / 2)
        painter.restore()


_ROW_PADDING, _AROUND_STATE = 26, 48
# Long words are cut short where the name needs the room; a tooltip has all of them.
_MAX_COLUMN_SHARE = {WEIGHTS: 0.15, DEVICE: 0.11}

_AnyIndex = QModelIndex | QPersistentModelIndex


class ModelTable(QTableView):
    """Whole rows are chosen; `chose` tells of another."""

    chose = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._model = ModelTableModel(appearance)
        self._progress = ProgressDelegate(appearance)
        self._apply_theme()
        appearance.changed.connect(self._fit)

    @property
    def chosen(self) -> ModelRow | None:
        return self._model.at(self.currentIndex().row())

    def choose(self, name: str) -> None:
        row = self._model.row_of(name)
        if row is not None:
            self.setCurrentIndex(self._model.index(row, MODEL))

    def render_view(self, view: ModelsView) -> None:
        before = self.chosen
        self._model.show(view)
        self._fit()
        if before is not None:
            self.choose(before.name)
        if self.chosen is None and view.rows:
            self.choose(view.rows[0].name)

    def currentChanged(self, current: _AnyIndex, previous: _AnyIndex) -> None:
        super().currentChanged(current, previous)
        self.chose.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _apply_theme(self) -> None:
        self.setModel(self._model)
        self.setObjectName("figures")
        self.setAccessibleName("Models")
        self.setItemDelegateForColumn(PROGRESS, self._progress)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionsClickable(False)

    def _fit(self) -> None:
        """The name takes what room the other columns leave."""
        header = self.horizontalHeader()
        for column in range(self._model.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        if self._model.columnCount():
            header.setSectionResizeMode(MODEL, QHeaderView.ResizeMode.Stretch)
        # A state that changes must not move the columns next to it.
        header.setSectionResizeMode(STATE, QHeaderView.ResizeMode.Fixed)
        longest = max(self.fontMetrics().horizontalAdvance(state) for state in ModelState)
        self.setColumnWidth(STATE, longest + _AROUND_STATE)
        for column, part in _MAX_COLUMN_SHARE.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            wanted = max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
            self.setColumnWidth(column, min(wanted, round(self.width() * part)))
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _ROW_PADDING)
