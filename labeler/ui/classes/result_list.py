"""The list of classes found, which the search field steers."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from labeler.app.classes.class_pictures import ClassThumbnails
from labeler.app.classes.class_view import ClassListRow
from labeler.ui.classes.result_delegate import ClassResultDelegate
from labeler.ui.classes.result_model import RESULT_ROW_ROLE
from labeler.ui.window.look import Appearance


class ClassResultList(QListView):
    """A list that follows the presenter; the search field keeps the keyboard."""

    def __init__(
        self,
        look: Appearance,
        model: QAbstractItemModel,
        *,
        pictures: ClassThumbnails[QImage] | None = None,
    ) -> None:
        super().__init__()
        self._pictures = pictures
        self._wished: tuple[str, ...] = ()
        self._delegate = ClassResultDelegate(look, pictures.get if pictures else None)
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
        # The rows grow with the type.
        look.changed.connect(self.scheduleDelayedItemsLayout)
        if pictures is not None:
            tell = self._show_picture
            pictures.listen(tell)
            self.destroyed.connect(lambda: pictures.stop_listening(tell))

    def show_current(self, row: int | None) -> None:
        """Mark the row and bring it into sight."""
        if row is None:
            self.selectionModel().clear()
            # Where the list stood tells what was looked at before.
            self.scrollToTop()
            return
        index = self.model().index(row, 0)
        # A row that was clicked is current already: it stays below the pointer, since the second
        # click of a double click would otherwise be on another.
        if index != self.currentIndex():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    @property
    def visible_rows(self) -> int:
        """How many rows a page has."""
        return max(1, self.viewport().height() // max(1, self.sizeHintForRow(0)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._pictures is not None:
            self._request_pictures(self._pictures)

    def _request_pictures(self, pictures: ClassThumbnails[QImage]) -> None:
        """Ask for what the rows in sight lack, once for each set of rows."""
        wanted = tuple(_row(index).wnid for index in self._in_sight())
        if wanted != self._wished:
            self._wished = wanted
            pictures.request(wanted)

    def _show_picture(self, wnid: str) -> None:
        for index in self._in_sight():
            if _row(index).wnid == wnid:
                self.viewport().update(self.visualRect(index))

    def _in_sight(self) -> list[QModelIndex]:
        model = self.model()
        first = self.indexAt(QPoint(1, 1)).row()
        if first < 0:
            return []
        last = min(first + self.visible_rows + 2, model.rowCount())
        return [model.index(row, 0) for row in range(first, last)]


def _row(index: QModelIndex) -> ClassListRow:
    row: ClassListRow = index.data(RESULT_ROW_ROLE)
    return row
