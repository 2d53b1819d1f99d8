"""The images of a class to judge, as a grid of which only what is in sight is painted."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from labeler.app.presenters.review_tiles import ReviewTiles
from labeler.app.presenters.review_views import TileView
from labeler.ui.look import Look
from labeler.ui.widgets.verdict_mark import WORDS, paint_verdict

TILE = 160
_CELL, _MARK, _AROUND = TILE + 16, 26, 8
_WHITE = QColor("#ffffff")
_TILE = Qt.ItemDataRole.UserRole

AnyIndex = QModelIndex | QPersistentModelIndex


class TileModel(QAbstractListModel):
    """The tiles; a verdict changes one of them, another class all."""

    def __init__(self) -> None:
        super().__init__()
        self._tiles: tuple[TileView, ...] = ()

    def show(self, tiles: tuple[TileView, ...]) -> bool:
        """Take other tiles; true when they are of other images than before."""
        if [tile.visit_id for tile in tiles] != [tile.visit_id for tile in self._tiles]:
            self.beginResetModel()
            self._tiles = tiles
            self.endResetModel()
            return True
        changed = [n for n, tile in enumerate(tiles) if tile is not self._tiles[n]]
        self._tiles = tiles
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
        return False

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._tiles)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        tile = self._tiles[index.row()]
        if role == _TILE:
            return tile
        if role == Qt.ItemDataRole.AccessibleTextRole:
            verdict = "not judged" if tile.own is None else WORDS[tile.own.verdict]
            return f"Image {index.row() + 1} of {len(self._tiles)}: {verdict}"
        return None


class TileDelegate(QStyledItemDelegate):
    """Paints an image as far as it has come, its verdict's mark, and what is selected."""

    def __init__(self, look: Look, pictures: ReviewTiles[QImage]) -> None:
        super().__init__()
        self._look, self._pictures = look, pictures

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: ARG002
        return QSize(_CELL, _CELL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        tile: TileView = index.data(_TILE)
        frame = QRectF(option.rect).adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)
        painter.save()
        self._paint_picture(painter, frame, tile)
        self._paint_mark(painter, frame, tile)
        if option.state & QStyle.StateFlag.State_Selected:
            focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(QPen(self._look.colour("focus_on_surround"), 3 if focused else 2))
            painter.drawRect(frame.adjusted(-4, -4, 4, 4))
        painter.restore()

    def _paint_picture(self, painter: QPainter, frame: QRectF, tile: TileView) -> None:
        picture = self._pictures.get(tile.visit_id)
        if picture is None:
            painter.setPen(self._look.colour("on_surround"))
            painter.setOpacity(0.4)
            painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))
            if self._pictures.failed(tile.visit_id):
                painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, "can't be shown")
            painter.setOpacity(1.0)
            return
        x = frame.left() + (frame.width() - picture.width()) // 2
        y = frame.top() + (frame.height() - picture.height()) // 2
        painter.drawImage(round(x), round(y), picture)

    def _paint_mark(self, painter: QPainter, frame: QRectF, tile: TileView) -> None:
        if tile.own is not None:
            where = QRectF(frame.left() + 4, frame.bottom() - _MARK - 4, _MARK, _MARK)
            paint_verdict(painter, where, tile.own.verdict, self._look, outline=_WHITE)


class ReviewGrid(QListView):
    """Arrows move, Shift selects a range; verdicts and other keys are the screen's."""

    moved = Signal(int)
    opened = Signal(int)

    def __init__(self, look: Look, pictures: ReviewTiles[QImage]) -> None:
        super().__init__()
        self._look, self._pictures = look, pictures
        self._model = TileModel()
        self._delegate = TileDelegate(look, pictures)
        self._wished: tuple[str, ...] = ()
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setObjectName("review_grid")
        self.setAccessibleName("Images to judge")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setGridSize(QSize(_CELL, _CELL))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionRectVisible(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(lambda now, _old: self.moved.emit(now.row()))
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        pictures.listen(self._show_picture)
        look.changed.connect(self.viewport().update)

    @property
    def current(self) -> int:
        return max(self.currentIndex().row(), 0)

    @property
    def selected(self) -> list[int]:
        """The places of the selected tiles, in order; of the current one where none is."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return rows or ([self.current] if self._model.rowCount() else [])

    def show_tiles(self, tiles: tuple[TileView, ...]) -> None:
        """Show the tiles; those of another class from the first that waits."""
        if self._model.show(tiles):
            self._wished = ()
            waiting = (n for n, tile in enumerate(tiles) if tile.own is None)
            self.go_to(next(waiting, 0))

    def go_to(self, place: int) -> None:
        """Make a tile the current and only selected one, and bring it into sight."""
        index = self._model.index(place, 0)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters and digits are no search in a grid of pictures."""
        if event.text().strip() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._look.colour("surround"))
        painter.end()
        super().paintEvent(event)
        self._wish_for_pictures()

    def _wish_for_pictures(self) -> None:
        """Ask for what is in sight and the rows below it, once for each place of the grid."""
        wanted = tuple(self._model.index(n, 0).data(_TILE).visit_id for n in self._in_sight())
        if wanted != self._wished:
            self._wished = wanted
            self._pictures.request(wanted)

    def _show_picture(self, visit_id: str) -> None:
        for place in self._in_sight():
            index = self._model.index(place, 0)
            if index.data(_TILE).visit_id == visit_id:
                self.viewport().update(self.visualRect(index))

    def _in_sight(self) -> range:
        """The places in sight, and as many again below."""
        total = self._model.rowCount()
        columns = max(1, self.viewport().width() // _CELL)
        rows = self.viewport().height() // _CELL + 2
        first = self.indexAt(QPoint(_CELL // 2, _CELL // 2)).row()
        start = max(first, 0) // columns * columns
        start = max(0, start - columns)
        return range(start, min(total, start + 2 * rows * columns))
