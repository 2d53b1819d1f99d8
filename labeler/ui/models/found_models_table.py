"""A table of models to tick: Space or a click ticks, the arrows move."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from labeler.ui.models.found_models_model import FoundModelsModel
from labeler.ui.models.tick_delegate import CheckBoxDelegate
from labeler.ui.window.look import Appearance

_ROW_PADDING = 12


class FoundModelsTable(QTableView):
    """Whole rows are chosen, each with a box before its name."""

    def __init__(self, look: Appearance, model: FoundModelsModel) -> None:
        super().__init__()
        self._model = model
        self._ticks = CheckBoxDelegate(look)
        self.setModel(model)
        self.setItemDelegateForColumn(0, self._ticks)
        self.setObjectName("figures")
        self.setAccessibleName("Models that were found")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _ROW_PADDING)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionsClickable(False)
        self.doubleClicked.connect(lambda index: self._model.toggle(index.row()))

    def fit(self) -> None:
        """The name takes what room the other columns leave."""
        header = self.horizontalHeader()
        # Looking at every one of two thousand rows would take longer than typing a letter.
        header.setResizeContentsPrecision(0)
        for column in range(1, self._model.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def enter(self) -> None:
        """Take the keyboard, at the first row where none is chosen yet."""
        if not self.currentIndex().isValid() and self._model.rowCount():
            self.setCurrentIndex(self._model.index(0, 0))
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self._model.toggle(self.currentIndex().row())
        else:
            super().keyPressEvent(event)
