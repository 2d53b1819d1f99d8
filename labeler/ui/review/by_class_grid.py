"""The images of a class to judge, as a grid that only paints visible tiles."""

from typing import Any

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    QSizeF,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from labeler.app.review.views import TileView
from labeler.app.tile_loader import TileLoader
from labeler.core.review.blind_types import OwnVerdict
from labeler.ui.review.verdict_mark import (
    SHORT_KIND_WORDS,
    VERDICT_WORDS,
    paint_verdict,
    verdict_words,
)
from labeler.ui.window.theme import Appearance, TypeSize

# The largest size at which all images are visible, else the smallest.
_TILE_SIDES = (480, 320, 240, 200, 160)
_MARK, _TILE_MARGIN, _PAD = 18, 8, 4
FLAGGED_WORD = "problematic"
_WHITE, _SHADE = QColor("#ffffff"), QColor(0, 0, 0, 110)

_Index = QModelIndex | QPersistentModelIndex


class ReviewTileModel(QStringListModel):
    """The tiles; a verdict changes one of them, another class all.

    A string list model, because Qt counts rows often while laying out, which would be slow in
    Python.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tiles: tuple[TileView, ...] = ()

    def show(self, tiles: tuple[TileView, ...]) -> bool:
        """Set the tiles and return whether they are of other images than before."""
        before, self.tiles = self.tiles, tiles
        pairs = zip(before, tiles, strict=False)
        changed = [n for n, (old, new) in enumerate(pairs) if old is not new]
        known = all(before[n].visit_id == tiles[n].visit_id for n in changed)
        if len(before) != len(tiles) or not known:
            self.setStringList([""] * len(tiles))
            return True
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
        return False

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            tile = self.tiles[index.row()]
            verdict = "not judged" if tile.own is None else verdict_words(tile.own)
            flagged = f", {FLAGGED_WORD}" if tile.flagged else ""
            return f"Image {index.row() + 1} of {len(self.tiles)}: {verdict}{flagged}"
        return None


class ReviewTileDelegate(QStyledItemDelegate):
    """Paints an image if it is loaded, its verdict, and the selection."""

    def __init__(
        self, appearance: Appearance, model: ReviewTileModel, pictures: TileLoader[QImage]
    ) -> None:
        super().__init__()
        self._appearance, self._model, self._pictures = appearance, model, pictures
        self.side, self.cell = (
            _TILE_SIDES[-1],
            QSize(_TILE_SIDES[-1] + 2 * _TILE_MARGIN, _TILE_SIDES[-1]),
        )

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: ARG002
        return self.cell

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        tile = self._model.tiles[index.row()]
        picture = self.picture_in(QRectF(option.rect), tile)
        painter.save()
        self._paint_picture(painter, picture, tile)
        if tile.own is not None:
            self._paint_verdict(painter, picture, tile.own)
        else:
            self._paint_no_verdict(painter, self.mark_in(picture))
        if tile.flagged:
            self._paint_flag(painter, picture)
        if option.state & QStyle.StateFlag.State_Selected:
            focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(QPen(self._appearance.colour("focus_on_surround"), 3 if focused else 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(picture.adjusted(-4, -4, 4, 4))
        painter.restore()

    def picture_in(self, cell: QRectF, tile: TileView) -> QRectF:
        """Return the rectangle of the picture in its cell, or of its placeholder."""
        frame = QRectF(0, 0, self.side, self.side)
        picture = self._pictures.get(tile.visit_id)
        if picture is not None:
            ratio = self.side / self._pictures.side
            frame.setSize(QSizeF(picture.width() * ratio, picture.height() * ratio))
        frame.moveCenter(cell.center())
        return QRectF(round(frame.x()), round(frame.y()), frame.width(), frame.height())

    def mark_in(self, picture: QRectF) -> QRectF:
        """Return the rectangle of the verdict's mark in the picture's corner."""
        corner = picture.bottomLeft()
        return QRectF(corner.x() + 2 * _PAD, corner.y() - 2 * _PAD - _MARK, _MARK, _MARK)

    def _paint_picture(self, painter: QPainter, frame: QRectF, tile: TileView) -> None:
        picture = self._pictures.get(tile.visit_id)
        if picture is None:
            painter.setPen(self._appearance.colour("on_surround"))
            painter.setOpacity(0.4)
            painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setOpacity(1.0)
            if self._pictures.failed(tile.visit_id):
                painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, "can't be shown")
        else:
            painter.drawImage(frame, picture)

    def _paint_no_verdict(self, painter: QPainter, mark: QRectF) -> None:
        """Paint a circle to click, visible on light pictures, too."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_SHADE)
        painter.drawEllipse(mark)
        paint_verdict(painter, mark, None, self._appearance, outline=_WHITE)

    def _paint_flag(self, painter: QPainter, picture: QRectF) -> None:
        """Write that the image is flagged in the picture's upper corner."""
        font = self._appearance.font(TypeSize.CAPTION)
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(FLAGGED_WORD) + 4 * _PAD
        pill = QRectF(
            picture.left() + _PAD, picture.top() + _PAD, width, metrics.height() + 2 * _PAD
        )
        self._paint_pill(painter, pill)
        painter.setFont(font)
        painter.setPen(self._appearance.colour("text"))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, FLAGGED_WORD)

    def _paint_pill(self, painter: QPainter, pill: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.colour("raised"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(pill, _PAD, _PAD)

    def _paint_verdict(self, painter: QPainter, picture: QRectF, own: OwnVerdict) -> None:
        """Paint the verdict's mark and word in the picture's corner."""
        font = self._appearance.font(TypeSize.CAPTION)
        metrics = QFontMetricsF(font)
        word = VERDICT_WORDS[own.verdict] if own.kind is None else SHORT_KIND_WORDS[own.kind]
        room = max(picture.width() - 2 * _PAD, _MARK + 2 * _PAD)
        beside = _MARK + 3 * _PAD
        word = metrics.elidedText(word, Qt.TextElideMode.ElideRight, room - beside - _PAD)
        high = max(_MARK, metrics.height()) + _PAD
        pill = QRectF(
            picture.left() + _PAD,
            picture.bottom() - _PAD - high,
            min(room, beside + metrics.horizontalAdvance(word) + 2 * _PAD),
            high,
        )
        self._paint_pill(painter, pill)
        mark = self.mark_in(picture)
        mark.moveTop(pill.center().y() - _MARK / 2)
        paint_verdict(painter, mark, own.verdict, self._appearance, outline=_WHITE)
        painter.setFont(font)
        painter.setPen(self._appearance.colour("text"))
        painter.drawText(pill.adjusted(beside, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, word)


class ReviewGrid(QListView):
    """Arrows move, Shift selects a range; the screen handles verdicts and other keys."""

    moved = Signal(int)
    opened = Signal(int)
    left = Signal()
    toggled = Signal(int)
    # The visit ids of the images that are visible now.
    seen = Signal(tuple)

    def __init__(self, appearance: Appearance, pictures: TileLoader[QImage]) -> None:
        super().__init__()
        self._appearance, self._pictures = appearance, pictures
        self._model = ReviewTileModel()
        self._delegate = ReviewTileDelegate(appearance, self._model, pictures)
        self._requested: tuple[str, ...] = ()
        self._seen: tuple[str, ...] = ()
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setObjectName("review_grid")
        self.setAccessibleName("Images to judge")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionRectVisible(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(lambda now, _old: self.moved.emit(now.row()))
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        pictures.listen(self._show_picture)
        appearance.changed.connect(self.viewport().update)

    @property
    def current(self) -> int:
        return max(self.currentIndex().row(), 0)

    @property
    def selected(self) -> list[int]:
        """Return the positions of the selected tiles in order, or of the current one."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return rows or ([self.current] if self._model.rowCount() else [])

    def show_tiles(self, tiles: tuple[TileView, ...]) -> None:
        """Show the tiles; those of another class from the first open one."""
        if self._model.show(tiles):
            self._requested = ()
            self._fit()
            waiting = (n for n, tile in enumerate(tiles) if tile.own is None)
            self.go_to(next(waiting, 0))

    def go_to(self, place: int) -> None:
        """Select only this tile and scroll to it."""
        index = self._model.index(place, 0)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters and digits don't search in a grid of pictures."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.text().strip() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mark_of(self, place: int) -> QRectF:
        """Return the clickable area of a tile's mark, slightly larger than drawn."""
        index = self._model.index(place, 0)
        cell = QRectF(self.visualRect(index))
        picture = self._delegate.picture_in(cell, self._model.tiles[place])
        return self._delegate.mark_in(picture).adjusted(-2 * _PAD, -2 * _PAD, 2 * _PAD, 2 * _PAD)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a tile's mark gives the next verdict; anywhere else it selects."""
        index = self.indexAt(event.position().toPoint())
        plain = event.button() is Qt.MouseButton.LeftButton and not event.modifiers()
        if plain and index.isValid() and self.mark_of(index.row()).contains(event.position()):
            self.toggled.emit(index.row())
        else:
            super().mousePressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._appearance.colour("surround"))
        painter.end()
        super().paintEvent(event)
        self._request_pictures()
        self._note_seen()

    def _request_pictures(self) -> None:
        """Request the visible images and the rows below, once per scroll position."""
        wanted = tuple(self._model.tiles[n].visit_id for n in self._visible_rows())
        if wanted != self._requested:
            self._requested = wanted
            self._pictures.request(wanted)

    def _note_seen(self) -> None:
        """Report the images that are painted, once for each set of them."""
        tiles, area = self._model.tiles, self.viewport().rect()
        seen = tuple(
            tiles[n].visit_id
            for n in self._visible_rows()
            if area.intersects(self.visualRect(self._model.index(n, 0)))
            and self._pictures.get(tiles[n].visit_id) is not None
        )
        if seen != self._seen:
            self._seen = seen
            self.seen.emit(seen)

    def _show_picture(self, visit_id: str) -> None:
        for place in self._visible_rows():
            if self._model.tiles[place].visit_id == visit_id:
                self.viewport().update(self.visualRect(self._model.index(place, 0)))

    def _fit(self) -> None:
        """Choose the largest tile size at which all are visible, and spread them over the width."""
        # Qt always reserves the width of a scroll bar and never uses the last pixel.
        bar = self.style().pixelMetric(
            QStyle.PixelMetric.PM_ScrollBarExtent, None, self.verticalScrollBar()
        )
        view_size, total = self.maximumViewportSize(), self._model.rowCount()
        wide, high = view_size.width() - bar - 1, view_size.height()
        fitting = (
            side for side in _TILE_SIDES if _columns(wide, side) * _rows(high, side) >= total
        )
        side = next(fitting, _TILE_SIDES[-1])
        cell = QSize(wide // max(1, _columns(wide, side)), side + 2 * _TILE_MARGIN)
        if (side, cell) == (self._delegate.side, self._delegate.cell):
            return
        self._delegate.side, self._delegate.cell = side, cell
        self.setGridSize(cell)
        self._requested = ()
        self._pictures.size_to(round(side * self.devicePixelRatioF()))

    def _visible_rows(self) -> range:
        """Return the visible positions, and as many below."""
        total, cell = self._model.rowCount(), self._delegate.cell
        columns = max(1, self.viewport().width() // cell.width())
        rows = self.viewport().height() // cell.height() + 2
        first = self.indexAt(QPoint(cell.width() // 2, cell.height() // 2)).row()
        start = max(first, 0) // columns * columns
        start = max(0, start - columns)
        return range(start, min(total, start + 2 * rows * columns))


def _columns(wide: int, side: int) -> int:
    return wide // (side + 2 * _TILE_MARGIN)


def _rows(high: int, side: int) -> int:
    return high // (side + 2 * _TILE_MARGIN)
