"""A list of answered images, whose pictures come as they come into sight."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from labeler.app.picture_rows import PictureRow
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.ui.kit.tables.image_list import (
    IMAGE_ROW_ROLE,
    AnsweredImageDelegate,
    AnsweredImageModel,
)
from labeler.ui.window.look import Appearance

# Rows laid out before anything else gets its turn: all forty thousand would hold the window up.
_BATCH_SIZE = 1_000


class AnsweredImageList(QListView):
    """Has one current row, and asks for the pictures of what is in sight."""

    chosen = Signal(int)

    def __init__(
        self, look: Appearance, pictures: ThumbnailLoader[int, QImage], *, name: str
    ) -> None:
        super().__init__()
        self._pictures = pictures
        self._wished: tuple[int, ...] = ()
        self._rows = AnsweredImageModel()
        self._delegate = AnsweredImageDelegate(look, pictures.get)
        self.setModel(self._rows)
        self.setItemDelegate(self._delegate)
        self.setObjectName("results")
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH_SIZE)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        look.changed.connect(self.viewport().update)
        pictures.listen(lambda _image: self.viewport().update())
        self.selectionModel().currentChanged.connect(lambda to: self.chosen.emit(to.row()))

    @property
    def current(self) -> PictureRow | None:
        row: PictureRow | None = self.currentIndex().data(IMAGE_ROW_ROLE)
        return row

    def go_to(self, row: int) -> None:
        """Make a row the current one and bring it into sight."""
        index = self._rows.index(row, 0)
        if index != self.currentIndex():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def show_rows(self, rows: Sequence[PictureRow]) -> None:
        self._wished = ()
        self._rows.show(rows)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        wanted = tuple(index.data(IMAGE_ROW_ROLE).image for index in self._in_sight())
        if wanted != self._wished:
            self._wished = wanted
            self._pictures.request(wanted)

    def _in_sight(self) -> list[QModelIndex]:
        first = self.indexAt(QPoint(1, 1)).row()
        if first < 0:
            return []
        rows = self.viewport().height() // max(1, self.sizeHintForRow(0)) + 2
        last = min(first + rows, self._rows.rowCount())
        return [self._rows.index(row, 0) for row in range(first, last)]
