"""The list widget of the program: rows of text and pictures, replaced as a whole."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, ClassVar

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.ui.kit.text.text_painter import LineStyle
from labeler.ui.window.theme import Appearance, TypeSize

LIST_ROW_ROLE = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_BAR = 4
_MIN_WIDTH = 200


class RowListModel(QStringListModel):
    """Rows of any type, whose texts are computed by functions.

    Qt asks for the number of rows for each item that it lays out. QStringListModel answers that
    without calling Python a thousand times.
    """

    def __init__(self, texts: Mapping[int, Callable[[Any], str]]) -> None:
        """`texts` has a function for each of Qt's roles in which a row says something."""
        super().__init__()
        self._texts = dict(texts)
        self._rows: Sequence[Any] = ()

    def show(self, rows: Sequence[Any]) -> None:
        """Replace the rows; the same rows again change nothing."""
        if rows is not self._rows and rows != self._rows:
            self._rows = rows
            self.setStringList([""] * len(rows))

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        if role == LIST_ROW_ROLE:
            return row
        text = self._texts.get(role)
        return text(row) if text is not None else None


class RowDelegate(QStyledItemDelegate):
    """Paints the background of a row; a subclass paints what is on it."""

    margins: ClassVar[tuple[int, int]] = (16, 6)  # at the sides, above and below

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        appearance.changed.connect(self.apply_theme)
        self.apply_theme()

    def apply_theme(self) -> None:
        """Make what every row needs, once for each theme."""
        raise NotImplementedError

    def content_height(self) -> float:
        """Return the height of a row without its margins."""
        raise NotImplementedError

    def paint_row(self, painter: QPainter, area: QRectF, row: Any) -> None:
        """Paint a row within its margins."""
        raise NotImplementedError

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: ARG002
        return QSize(_MIN_WIDTH, self.row_height)

    @property
    def row_height(self) -> int:
        return round(self.content_height()) + 2 * self.margins[1]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        area, (side, top) = QRectF(option.rect), self.margins
        painter.save()
        painter.setClipRect(area)
        self._paint_background(painter, area, option)
        inside = area.adjusted(side, top, -side, -top)
        self.paint_row(painter, inside, index.data(LIST_ROW_ROLE))
        painter.restore()

    def line_style(self, size: TypeSize, colour: str, *, strong: bool = False) -> LineStyle:
        """Return how a line of text looks whose matches are highlighted."""
        font, colours = self._appearance.font(size, strong=strong), self._appearance.colour
        return LineStyle(
            font=font,
            metrics=QFontMetricsF(font),
            text=colours(colour),
            mark=colours("match"),
            on_mark=colours("on_match"),
        )

    def _paint_background(
        self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem
    ) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, self._appearance.colour("accent_soft"))
            bar = QRectF(area.left(), area.top(), _BAR, area.height())
            painter.fillRect(bar, self._appearance.colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self._appearance.colour("hover"))


def draw_fitted(painter: QPainter, frame: QRectF, picture: QImage) -> None:
    """Draw the whole picture centred in its frame, aligned to whole pixels."""
    scale = min(frame.width() / picture.width(), frame.height() / picture.height(), 1.0)
    width, height = round(picture.width() * scale), round(picture.height() * scale)
    x = frame.left() + (frame.width() - width) // 2
    y = frame.top() + (frame.height() - height) // 2
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(QRectF(x, y, width, height), picture)


class RowList(QListView):
    """Shows rows of equal height, and requests the pictures of visible rows."""

    def __init__(
        self,
        appearance: Appearance,
        name: str,
        model: RowListModel,
        delegate: RowDelegate,
        *,
        pictures: ThumbnailLoader[Any, Any] | None = None,
        picture_keys: Callable[[Any], tuple[Any, ...]] | None = None,
    ) -> None:
        """`picture_keys` returns by what a row's pictures are requested."""
        super().__init__()
        self._rows, self._delegate = model, delegate
        self._pictures, self._picture_keys = pictures, picture_keys
        self._requested: tuple[Any, ...] = ()
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setObjectName("results")
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The rows grow with the text.
        appearance.changed.connect(self.scheduleDelayedItemsLayout)
        if pictures is not None:
            show = self._show_picture
            pictures.listen(show)
            pictures.listen_for_missing(show)
            self.destroyed.connect(lambda: pictures.stop_listening(show))

    def show_rows(self, rows: Sequence[Any]) -> None:
        self._rows.show(rows)

    def show_current(self, row: int | None) -> None:
        """Select the row and bring it into sight."""
        if row is None:
            self.selectionModel().clear()
            # The scroll position would show what was looked at before.
            self.scrollToTop()
            return
        index = self._rows.index(row, 0)
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
            # The first of every row come before the second of any.
            by_row = zip_longest(*map(self._keys_at, self._visible_indexes()))
            wanted = tuple(key for key in chain.from_iterable(by_row) if key is not None)
            if wanted != self._requested:
                self._requested = wanted
                self._pictures.request(wanted)

    def _keys_at(self, index: QModelIndex) -> tuple[Any, ...]:
        assert self._picture_keys is not None, "the rows have pictures"
        return self._picture_keys(index.data(LIST_ROW_ROLE))

    def _show_picture(self, key: Any) -> None:
        for index in self._visible_indexes():
            if key in self._keys_at(index):
                self.viewport().update(self.visualRect(index))

    def _visible_indexes(self) -> list[QModelIndex]:
        first = self.indexAt(QPoint(1, 1)).row()
        if first < 0:
            return []
        last = min(first + self.visible_rows + 2, self._rows.rowCount())
        return [self._rows.index(row, 0) for row in range(first, last)]
