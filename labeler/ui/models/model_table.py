"""The table of models: one is current, and the buttons below act on that one."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from labeler.app.models.model_row import ModelRow, ModelState, ModelsView
from labeler.ui.kit.tables.table_view import ROW_ROLE, AnyIndex, Column, TableView
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

MODEL, WEIGHTS, DEVICE, STATE, PROGRESS = range(5)

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
_BAR_HEIGHT, _SIDE, _BELOW = 4, 11, 6
_WIDTH = 264
_TRACK_OPACITY = 0.4


class ProgressDelegate(QStyledItemDelegate):
    """Paints the cell as the table would, and a progress bar below its text."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        words = QStyleOptionViewItem(option)
        words.rect = option.rect.adjusted(0, 0, 0, -_BELOW)
        super().paint(painter, words, index)
        row: ModelRow = index.data(ROW_ROLE)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        track = QColor(self._appearance.colour("strong_line" if chosen else "line"))
        if chosen:  # the usual line is hardly visible on a selected row
            track.setAlphaF(_TRACK_OPACITY)
        self._paint_line(painter, QRectF(option.rect), row, track)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
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
# A longer name is elided when many datasets take the room; then the table scrolls.
_LEAST_NAME = 200
# Long texts are elided where the name needs the room; a tooltip has all of them.
_MAX_COLUMN_SHARE = {WEIGHTS: 0.15, DEVICE: 0.11}


class ModelTable(TableView):
    """Rows are selected as a whole; `chose` is emitted when another becomes current."""

    chose = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("Models", whole_rows=True, row_padding=_ROW_PADDING)
        self._appearance = appearance
        self._shown: ModelsView | None = None
        self._progress = ProgressDelegate(appearance)
        self.setItemDelegateForColumn(PROGRESS, self._progress)
        self.resized.connect(self._fit)
        appearance.changed.connect(self._fit)
        appearance.changed.connect(self.cells.repaint)

    @property
    def chosen(self) -> ModelRow | None:
        row: ModelRow | None = self.cells.row_at(self.currentIndex())
        return row

    def choose(self, name: str) -> None:
        rows = self._shown.rows if self._shown is not None else ()
        for number, row in enumerate(rows):
            if row.name == name:
                self.go_to(number, MODEL)

    def render_view(self, view: ModelsView) -> None:
        """Show the rows; the same one stays current, and nothing moves if only contents changed."""
        before, chosen = self._shown, self.chosen
        self._shown = view
        if before is not None and _shape(before) == _shape(view):
            self.cells.update_rows(view.rows)
        else:
            self.show_rows(self._columns(view.datasets), view.rows)
        self._fit()
        if chosen is not None:
            self.choose(chosen.name)
        if self.chosen is None and view.rows:
            self.choose(view.rows[0].name)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        self.chose.emit()

    def _columns(self, datasets: tuple[str, ...]) -> list[Column[ModelRow]]:
        return [
            Column(title="Model", text=lambda row: row.name),
            Column(title="Weights", text=lambda row: row.weights),
            Column(title="Device", text=lambda row: row.device),
            Column(title="State", text=lambda row: row.state.value, icon=self._state_icon),
            Column(title="Progress", text=lambda row: row.progress),
            Column(title="Images/s", text=lambda row: row.rate, numeric=True),
            *(_accuracy_column(number, name) for number, name in enumerate(datasets)),
        ]

    def _state_icon(self, row: ModelRow) -> QIcon:
        name, colour = _STATE_ICONS[row.state]
        return icon(
            name,
            colour=self._appearance.colour(colour).name(),
            background=self._appearance.theme.surface,
        )

    def _fit(self) -> None:
        """The name takes the room that the other columns leave."""
        header = self.horizontalHeader()
        for column in range(self.columns):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        # A state that changes must not move the columns next to it.
        header.setSectionResizeMode(STATE, QHeaderView.ResizeMode.Fixed)
        longest = max(self.fontMetrics().horizontalAdvance(state) for state in ModelState)
        self.setColumnWidth(STATE, longest + _AROUND_STATE)
        for column, part in _MAX_COLUMN_SHARE.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            wanted = max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
            self.setColumnWidth(column, min(wanted, round(self.width() * part)))
        if self.columns:
            self._fit_name(header)
        self.fit_rows()

    def _fit_name(self, header: QHeaderView) -> None:
        header.setSectionResizeMode(MODEL, QHeaderView.ResizeMode.Fixed)
        left = self.viewport().width() - (header.length() - header.sectionSize(MODEL))
        self.setColumnWidth(MODEL, max(left, min(self.sizeHintForColumn(MODEL), _LEAST_NAME)))


def _accuracy_column(number: int, dataset: str) -> Column[ModelRow]:
    return Column(title=f"Top-1 {dataset}", text=lambda row: row.top1[number], numeric=True)


def _shape(view: ModelsView) -> tuple[tuple[str, ...], list[str]]:
    """The columns and the models; what else changes are contents of cells."""
    return view.datasets, [row.name for row in view.rows]
