"""A table of models to tick: Space or a click ticks, the arrow keys move."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from labeler.app.models.model_finder import FoundModel
from labeler.ui.kit.tables.table_view import AnyIndex, Column, TableView
from labeler.ui.window.icons import paint_icon
from labeler.ui.window.theme import Appearance

_BOX = 20


class CheckBoxDelegate(QStyledItemDelegate):
    """Paints the program's check box over Qt's, which is hard to see in the dark theme."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        style = option.widget.style() if option.widget is not None else QApplication.style()
        part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        box = QRectF(0, 0, _BOX, _BOX)
        box.moveCenter(QRectF(style.subElementRect(part, cell, option.widget)).center())
        ticked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        background = self._appearance.colour("accent_soft" if chosen else "surface")
        painter.fillRect(box, background)
        paint_icon(
            painter,
            box,
            "ticked" if ticked else "unticked",
            colour=self._appearance.colour("accent" if ticked else "strong_line").name(),
            background=background.name(),
        )


_ROW_PADDING = 12


class FoundModelsTable(TableView):
    """Each row has a box before its name; what is ticked stays ticked during other searches."""

    ticked_changed = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("Models found", whole_rows=True, row_padding=_ROW_PADDING)
        self._ticked: dict[str, None] = {}
        self._boxes = CheckBoxDelegate(appearance)
        self.setItemDelegateForColumn(0, self._boxes)
        self.cells.toggled.connect(self.toggle)
        self.doubleClicked.connect(lambda index: self.toggle(index.row()))

    @property
    def ticked(self) -> tuple[str, ...]:
        """The names of the ticked models, in the order in which they were ticked."""
        return tuple(self._ticked)

    def show_models(self, models: Sequence[FoundModel], results: Sequence[str]) -> None:
        """Show what was found, with a column for each results file."""
        self.show_rows(self._columns(results), models)
        header = self.horizontalHeader()
        # Measuring all of two thousand rows would take longer than typing a letter.
        header.setResizeContentsPrecision(0)
        for column in range(1, self.columns):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def toggle(self, row: int) -> None:
        """Tick a model, or take its tick away."""
        index = self.cells.index(row, 0)
        name = self.cells.row_at(index).name
        if name in self._ticked:
            del self._ticked[name]
        else:
            self._ticked[name] = None
        self.cells.dataChanged.emit(index, index)
        self.ticked_changed.emit()

    def enter(self) -> None:
        """Take the keyboard focus, at the first row if none is current."""
        if not self.currentIndex().isValid() and self.rows:
            self.go_to(0, 0)
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.toggle(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _columns(self, results: Sequence[str]) -> list[Column[FoundModel]]:
        return [
            Column(title="Model", text=lambda row: row.name, check_state=self._check_state),
            Column(title="Parameters", text=lambda row: row.parameters, numeric=True),
            Column(title="Input", text=lambda row: row.input, numeric=True),
            Column(title="Outputs", text=lambda row: row.outputs, numeric=True),
            Column(title="Weights", text=lambda row: row.weights),
            *(_published_column(number, name) for number, name in enumerate(results)),
        ]

    def _check_state(self, row: FoundModel) -> Qt.CheckState:
        return Qt.CheckState.Checked if row.name in self._ticked else Qt.CheckState.Unchecked


def _published_column(number: int, name: str) -> Column[FoundModel]:
    return Column(title=f"Top-1 {name}", text=lambda row: row.published[number], numeric=True)
