"""A labeler's own answers as a grid of pictures that only paints visible tiles."""

from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    QSizeF,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetricsF,
    QImage,
    QKeyEvent,
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

from labeler.app.labeling.my_answers import AnswerTile
from labeler.app.tile_loader import TileLoader
from labeler.ui.window.theme import Appearance, TypeSize

_PICTURE = QSize(144, 110)
# Pictures are loaded once, in the size of the preview.
PREVIEW_WIDTH = 320
_PAD, _LINE, _GAP = 8, 20, 8
_CELL = QSize(_PICTURE.width() + 2 * _PAD, _PICTURE.height() + 2 * _LINE + 3 * _PAD)
_MAX_CONFIDENCE = 5
_BAR = QSizeF(5, 10)

_Index = QModelIndex | QPersistentModelIndex


class AnswerTileModel(QStringListModel):
    """The tiles; a string list model, because Qt counts rows often while laying out."""

    def __init__(self) -> None:
        super().__init__()
        self.tiles: tuple[AnswerTile, ...] = ()

    def show(self, tiles: tuple[AnswerTile, ...]) -> None:
        self.tiles = tiles
        self.setStringList([""] * len(tiles))

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.tiles[index.row()].spoken
        return None


class AnswerTileDelegate(QStyledItemDelegate):
    """Paints the image, the chosen class, the confidence, the time and the flags."""

    def __init__(
        self, appearance: Appearance, model: AnswerTileModel, pictures: TileLoader[QImage]
    ) -> None:
        super().__init__()
        self._appearance, self._model, self._pictures = appearance, model, pictures

        self.cell = _CELL

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: ARG002
        return self.cell

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        tile, cell = self._model.tiles[index.row()], QRectF(option.rect)
        card = cell.adjusted(_GAP / 2, _GAP / 2, -_GAP / 2, -_GAP / 2)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._appearance.colour
        painter.setPen(QPen(colour("accent"), 2) if selected else QPen(colour("line"), 1))
        painter.setBrush(colour("accent_soft" if selected else "raised"))
        painter.drawRoundedRect(card, 6, 6)
        self._paint_picture(painter, card, tile)
        self._paint_words(painter, card, tile)
        painter.restore()

    def _paint_picture(self, painter: QPainter, card: QRectF, tile: AnswerTile) -> None:
        room = QRectF(card.left() + 4, card.top() + 4, card.width() - 8, _PICTURE.height())
        painter.fillRect(room, self._appearance.colour("surround"))
        picture = self._pictures.get(tile.trial_id)
        if picture is not None:
            size = QSizeF(picture.size()).scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
            frame = QRectF(room.topLeft(), size)
            frame.moveCenter(room.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(frame, picture)
        elif self._pictures.failed(tile.trial_id):
            painter.setPen(self._appearance.colour("on_surround"))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, "can't be shown")

    def _paint_words(self, painter: QPainter, card: QRectF, tile: AnswerTile) -> None:
        left, wide = card.left() + _PAD, card.width() - 2 * _PAD
        first = QRectF(left, card.top() + _PICTURE.height() + _PAD, wide, _LINE)
        second = first.translated(0, _LINE)
        self._write(painter, first, tile.name, size=TypeSize.BODY, colour="text")
        if tile.confidence is not None:
            second.setLeft(self._paint_confidence(painter, second, tile.confidence))
        right = Qt.AlignmentFlag.AlignRight
        self._write(painter, second, tile.time, colour="muted", align=right)
        time = QFontMetricsF(self._appearance.font(TypeSize.CAPTION)).horizontalAdvance(tile.time)
        self._write(painter, second.adjusted(0, 0, -time - _PAD, 0), tile.words, colour="muted")

    def _paint_confidence(self, painter: QPainter, line: QRectF, confidence: int) -> float:
        """Paint as many bars as the confidence, and return where the next word begins."""
        accent, outline = self._appearance.colour("accent"), self._appearance.colour("strong_line")
        x = line.left()
        for step in range(1, _MAX_CONFIDENCE + 1):
            bar = QRectF(x, line.center().y() - _BAR.height() / 2, _BAR.width(), _BAR.height())
            if step <= confidence:
                painter.fillRect(bar, accent)
            else:
                painter.setPen(QPen(outline, 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
            x += _BAR.width() + 2
        return x + 4

    def _write(
        self,
        painter: QPainter,
        place: QRectF,
        text: str,
        *,
        colour: str,
        size: TypeSize = TypeSize.CAPTION,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        font = self._appearance.font(size)
        elided = QFontMetricsF(font).elidedText(
            text, Qt.TextElideMode.ElideRight, max(place.width(), 0)
        )
        painter.setFont(font)
        painter.setPen(self._appearance.colour(colour))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | align, elided)


class AnswerGrid(QListView):
    """Arrows move; Return or a double click opens the answer."""

    opened = Signal(str)
    # The tile that became current, or None.
    moved = Signal(object)
    loaded = Signal()

    def __init__(self, appearance: Appearance, pictures: TileLoader[QImage]) -> None:
        super().__init__()
        self._appearance, self._pictures = appearance, pictures
        self._model = AnswerTileModel()
        self._requested: tuple[str, ...] = ()
        self._delegate = AnswerTileDelegate(appearance, self._model, pictures)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName("My answers")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setGridSize(_CELL)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Or the tiles would change their size whenever it comes or goes.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.doubleClicked.connect(lambda index: self._open(index.row()))
        self.selectionModel().currentChanged.connect(lambda *_: self._tell_current())
        pictures.size_to(round(PREVIEW_WIDTH * self.devicePixelRatioF()))
        pictures.listen(lambda _trial: self._show_loaded())
        appearance.changed.connect(self.viewport().update)

    @property
    def tiles(self) -> tuple[AnswerTile, ...]:
        return self._model.tiles

    @property
    def current(self) -> str | None:
        row = self.currentIndex().row()
        return self.tiles[row].trial_id if 0 <= row < len(self.tiles) else None

    def show_tiles(self, tiles: tuple[AnswerTile, ...], *, select: str | None = None) -> None:
        """Show the tiles and select one, by default the first."""
        self._model.show(tiles)
        self._requested = ()
        places = (place for place, tile in enumerate(tiles) if tile.trial_id == select)
        self.setCurrentIndex(self._model.index(next(places, 0), 0))
        self._tell_current()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters don't search: nothing here is found by its class."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex().row())
        elif event.text().strip() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width between as many tiles as fit."""
        room = self.viewport().width() - 1
        self._delegate.cell = QSize(room // self._columns, _CELL.height())
        self.setGridSize(self._delegate.cell)
        super().resizeEvent(event)

    @property
    def _columns(self) -> int:
        return max(1, (self.viewport().width() - 1) // _CELL.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        rows = self._visible_rows()
        wanted = tuple(tile.trial_id for tile in self.tiles[rows.start : rows.stop])
        if wanted != self._requested:
            self._requested = wanted
            self._pictures.request(wanted)

    def open_current(self) -> None:
        """Open the current answer to change it."""
        self._open(self.currentIndex().row())

    def _show_loaded(self) -> None:
        self.viewport().update()
        self.loaded.emit()

    def _tell_current(self) -> None:
        row = self.currentIndex().row()
        self.moved.emit(self.tiles[row] if 0 <= row < len(self.tiles) else None)

    def _visible_rows(self) -> range:
        """Return the visible positions, and one row below."""
        columns = self._columns
        first = self.verticalScrollBar().value() // _CELL.height() * columns
        rows = self.viewport().height() // _CELL.height() + 2
        return range(first, min(first + rows * columns, len(self.tiles)))

    def _open(self, row: int) -> None:
        if 0 <= row < len(self.tiles):
            self.opened.emit(self.tiles[row].trial_id)
