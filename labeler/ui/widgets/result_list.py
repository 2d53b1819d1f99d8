"""The list of classes found, which the search field steers."""

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QListView

from labeler.ui.look import Look
from labeler.ui.widgets.result_delegate import ResultDelegate


class ResultList(QListView):
    """A list that follows the presenter; the search field keeps the keyboard."""

    def __init__(self, look: Look, model: QAbstractItemModel) -> None:
        super().__init__()
        self._delegate = ResultDelegate(look)
        self.setItemDelegate(self._delegate)
        self.setModel(model)
        self.setObjectName("results")
        self.setAccessibleName("Classes found")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        look.changed.connect(self.viewport().update)

    def show_current(self, row: int | None) -> None:
        """Mark the row and bring it into sight."""
        if row is None:
            self.selectionModel().clear()
            return
        index = self.model().index(row, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    @property
    def rows_in_sight(self) -> int:
        """How many rows a page has."""
        return max(1, self.viewport().height() // max(1, self.sizeHintForRow(0)))
