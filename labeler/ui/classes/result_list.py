"""The list of classes found, which the search field steers."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    QSizeF,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from labeler.app.classes.class_view import ClassListRow
from labeler.app.classes.references import ClassThumbnails
from labeler.ui.kit.text.text_painter import LineStyle, draw_highlighted, elide_path
from labeler.ui.window.theme import Appearance, TypeSize

RESULT_ROW_ROLE = Qt.ItemDataRole.UserRole


class ClassResultModel(QStringListModel):
    """A list of rows that is replaced as a whole.

    When it is, Qt asks for each row's place and with it for their number. It must not have to ask
    Python a thousand times: each time the window's thread might have to wait for another's turn.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[ClassListRow, ...] = ()

    def show(self, rows: tuple[ClassListRow, ...]) -> None:
        """Replace the rows; the same tuple again changes nothing."""
        if rows is not self._rows:
            self._rows = rows
            self.setStringList([row.name for row in rows])

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        row = self._rows[index.row()]
        if role == RESULT_ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{row.note}. {row.path}"
        return None


_SIDE, _TOP, _BAR = 16, 6, 4
_PICTURE, _PICTURE_SPACING = QSizeF(64, 48), 12

ThumbnailSource = Callable[[str], QImage | None]


class ClassResultDelegate(QStyledItemDelegate):
    """Paints a class in three lines next to its picture, where there are pictures at all."""

    def __init__(self, appearance: Appearance, picture_of: ThumbnailSource | None = None) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture_of = picture_of
        appearance.changed.connect(self._apply_theme)
        self._apply_theme()

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002
    ) -> QSize:
        lines = self._name_height + 2 * self._note_height
        tallest = lines if self._picture_of is None else max(lines, _PICTURE.height())
        return QSize(200, round(tallest + 2 * _TOP))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row: ClassListRow = index.data(RESULT_ROW_ROLE)
        area = QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, area, option)
        inside = area.adjusted(_SIDE, _TOP, -_SIDE, -_TOP)
        if self._picture_of is not None:
            self._paint_picture(painter, inside, self._picture_of(row.wnid))
            inside.setLeft(inside.left() + _PICTURE.width() + _PICTURE_SPACING)
        self._paint_lines(painter, inside, row)
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem) -> None:
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, self._appearance.colour("accent_soft"))
            painter.fillRect(
                QRectF(area.left(), area.top(), _BAR, area.height()),
                self._appearance.colour("accent"),
            )
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self._appearance.colour("hover"))

    def _paint_picture(self, painter: QPainter, area: QRectF, picture: QImage | None) -> None:
        frame = QRectF(area.topLeft(), _PICTURE)
        frame.moveTop(area.top() + (area.height() - _PICTURE.height()) // 2)
        if picture is None:
            painter.setPen(self._appearance.colour("line"))
            painter.setBrush(self._appearance.colour("hover"))
            painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(fitted_rect(picture, frame), picture)

    def _paint_lines(self, painter: QPainter, area: QRectF, row: ClassListRow) -> None:
        first = QRectF(area.left(), area.top(), area.width(), self._name_height)
        second = QRectF(area.left(), first.bottom(), area.width(), self._note_height)
        third = second.translated(0, self._note_height)
        names, notes = self._names, self._notes
        path, in_path = elide_path(
            row.path, row.path_spans, metrics=notes.metrics, width=area.width()
        )
        draw_highlighted(painter, first, row.name, spans=row.name_spans, style=names)
        draw_highlighted(painter, second, row.note, spans=row.note_spans, style=notes)
        draw_highlighted(painter, third, path, spans=in_path, style=notes)

    def _apply_theme(self) -> None:
        """Make what every row needs once per theme."""
        self._names = self._style(self._appearance.font(TypeSize.BODY, strong=True), "text")
        self._notes = self._style(self._appearance.font(TypeSize.CAPTION), "muted")
        self._name_height = self._names.metrics.height() + 2
        self._note_height = self._notes.metrics.height() + 1

    def _style(self, font: QFont, text: str) -> LineStyle:
        colour = self._appearance.colour
        return LineStyle(
            font=font,
            metrics=QFontMetricsF(font),
            text=colour(text),
            mark=colour("match"),
            on_mark=colour("on_match"),
        )


def fitted_rect(picture: QImage, frame: QRectF) -> QRectF:
    """The place of the whole picture in the middle of its frame, from a whole pixel on."""
    scale = min(frame.width() / picture.width(), frame.height() / picture.height(), 1.0)
    width, height = round(picture.width() * scale), round(picture.height() * scale)
    x = frame.left() + (frame.width() - width) // 2
    y = frame.top() + (frame.height() - height) // 2
    return QRectF(x, y, width, height)


class ClassResultList(QListView):
    """A list that follows the presenter; the search field keeps the keyboard."""

    def __init__(
        self,
        appearance: Appearance,
        model: QAbstractItemModel,
        *,
        pictures: ClassThumbnails[QImage] | None = None,
    ) -> None:
        super().__init__()
        self._pictures = pictures
        self._requested: tuple[str, ...] = ()
        self._delegate = ClassResultDelegate(appearance, pictures.get if pictures else None)
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
        appearance.changed.connect(self.scheduleDelayedItemsLayout)
        if pictures is not None:
            show = self._show_picture
            pictures.listen(show)
            self.destroyed.connect(lambda: pictures.stop_listening(show))

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
        wanted = tuple(_row(index).wnid for index in self._visible_indexes())
        if wanted != self._requested:
            self._requested = wanted
            pictures.request(wanted)

    def _show_picture(self, wnid: str) -> None:
        for index in self._visible_indexes():
            if _row(index).wnid == wnid:
                self.viewport().update(self.visualRect(index))

    def _visible_indexes(self) -> list[QModelIndex]:
        model = self.model()
        first = self.indexAt(QPoint(1, 1)).row()
        if first < 0:
            return []
        last = min(first + self.visible_rows + 2, model.rowCount())
        return [model.index(row, 0) for row in range(first, last)]


def _row(index: QModelIndex) -> ClassListRow:
    row: ClassListRow = index.data(RESULT_ROW_ROLE)
    return row
