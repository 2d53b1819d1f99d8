"""The table of models: one is chosen, and what can be done is done to that one."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from labeler.app.models.models_views import ModelRow, ModelState, ModelsView
from labeler.ui.models.model_table_model import (
    DEVICE,
    MODEL,
    PROGRESS,
    STATE,
    WEIGHTS,
    ModelTableModel,
)
from labeler.ui.models.progress_delegate import ProgressDelegate
from labeler.ui.window.look import Appearance

_ROW_PADDING, _AROUND_STATE = 26, 48
# Long words are cut short where the name needs the room; a tooltip has all of them.
_MAX_COLUMN_SHARE = {WEIGHTS: 0.15, DEVICE: 0.11}

_AnyIndex = QModelIndex | QPersistentModelIndex


class ModelTable(QTableView):
    """Whole rows are chosen; `chose` tells of another."""

    chose = Signal()

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._model = ModelTableModel(look)
        self._progress = ProgressDelegate(look)
        self._apply_theme()
        look.changed.connect(self._fit)

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
        # A state that changes must not move the columns beside it.
        header.setSectionResizeMode(STATE, QHeaderView.ResizeMode.Fixed)
        longest = max(self.fontMetrics().horizontalAdvance(state) for state in ModelState)
        self.setColumnWidth(STATE, longest + _AROUND_STATE)
        for column, part in _MAX_COLUMN_SHARE.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            wanted = max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
            self.setColumnWidth(column, min(wanted, round(self.width() * part)))
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _ROW_PADDING)
