"""An answered image in a list: its picture, what came of it, the answer, what is accepted."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from labeler.app.chart_views import AnswerTone, PictureRow
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.ui.classes.result_list import fitted_rect
from labeler.ui.kit.text.text_painter import StaticTextPainter
from labeler.ui.window.icons import paint_icon
from labeler.ui.window.theme import Appearance, TypeSize

# Each tone is drawn with the icon of its name.
TONE_COLOURS = {AnswerTone.RIGHT: "open", AnswerTone.WRONG: "fault", AnswerTone.DIFFERENT: "locked"}
assert set(TONE_COLOURS) == set(AnswerTone), "every tone has its colour"
IMAGE_ROW_ROLE = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_PICTURE = QSizeF(96, 72)
_SIDE, _TOP, _SPACING, _ICON, _BAR = 12, 8, 12, 16, 4


class AnsweredImageModel(QAbstractListModel):
    """A list of rows that is replaced as a whole; a row is made when it comes into sight."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[PictureRow] = ()
        self._count = 0

    def show(self, rows: Sequence[PictureRow]) -> None:
        self.beginResetModel()
        self._rows, self._count = rows, len(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._count

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        if role == IMAGE_ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.answer}: {row.word}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"Accepted: {row.accepted}. {row.caption}"
        return None


class AnsweredImageDelegate(QStyledItemDelegate):
    """Paints a row in three lines next to its picture."""

    def __init__(self, appearance: Appearance, picture_of: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture_of = picture_of
        appearance.changed.connect(self._apply_theme)
        self._apply_theme()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: ARG002
        return QSize(240, round(max(_PICTURE.height(), 3 * self._line) + 2 * _TOP))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: PictureRow = index.data(IMAGE_ROW_ROLE)
        area = QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, area, option)
        inside = area.adjusted(_SIDE, _TOP, -_SIDE, -_TOP)
        self._paint_picture(painter, QRectF(inside.topLeft(), _PICTURE), row)
        inside.setLeft(inside.left() + _PICTURE.width() + _SPACING)
        self._paint_lines(painter, inside, row)
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, self._appearance.colour("accent_soft"))
            bar = QRectF(area.left(), area.top(), _BAR, area.height())
            painter.fillRect(bar, self._appearance.colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self._appearance.colour("hover"))

    def _paint_picture(self, painter: QPainter, frame: QRectF, row: PictureRow) -> None:
        painter.fillRect(frame, self._appearance.colour("surround"))
        picture = self._picture_of(row.image)
        if picture is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(fitted_rect(picture, frame), picture)

    def _paint_lines(self, painter: QPainter, area: QRectF, row: PictureRow) -> None:
        x, middle = round(area.left()), round(area.top() + self._line / 2)
        beside = x
        if row.tone is not None:
            self._paint_tone(painter, QRectF(x, middle - _ICON / 2, _ICON, _ICON), row.tone)
            beside = x + _ICON + 8
        lines = (
            (self._strong, beside, row.answer),
            (self._plain, x, f"Accepted: {row.accepted}"),
            (self._caption, x, " · ".join(filter(None, (row.word, row.caption)))),
        )
        for number, (kind, left, text) in enumerate(lines):
            at = middle + round(number * self._line)
            kind.draw(painter, left, at, kind.cut(text, round(area.right()) - left))

    def _paint_tone(self, painter: QPainter, where: QRectF, tone: AnswerTone) -> None:
        colours = self._appearance.theme.colours
        paint_icon(
            painter, where, tone, colour=colours[TONE_COLOURS[tone]], background=colours["surface"]
        )

    def _apply_theme(self) -> None:
        """Make what every row needs once per theme."""
        font, colour = self._appearance.font, self._appearance.colour
        self._strong = StaticTextPainter(font(TypeSize.BODY, strong=True), colour("text"))
        self._plain = StaticTextPainter(font(TypeSize.BODY), colour("text"))
        self._caption = StaticTextPainter(font(TypeSize.CAPTION), colour("muted"))
        self._line = self._strong.height + 4


# Rows laid out before anything else gets its turn: all forty thousand would hold the window up.
_BATCH_SIZE = 1_000


class AnsweredImageList(QListView):
    """Has one current row, and asks for the pictures of what is in sight."""

    chosen = Signal(int)

    def __init__(
        self, appearance: Appearance, pictures: ThumbnailLoader[int, QImage], *, name: str
    ) -> None:
        super().__init__()
        self._pictures = pictures
        self._requested: tuple[int, ...] = ()
        self._rows = AnsweredImageModel()
        self._delegate = AnsweredImageDelegate(appearance, pictures.get)
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
        appearance.changed.connect(self.viewport().update)
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
        self._requested = ()
        self._rows.show(rows)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        wanted = tuple(index.data(IMAGE_ROW_ROLE).image for index in self._visible_indexes())
        if wanted != self._requested:
            self._requested = wanted
            self._pictures.request(wanted)

    def _visible_indexes(self) -> list[QModelIndex]:
        first = self.indexAt(QPoint(1, 1)).row()
        if first < 0:
            return []
        rows = self.viewport().height() // max(1, self.sizeHintForRow(0)) + 2
        last = min(first + rows, self._rows.rowCount())
        return [self._rows.index(row, 0) for row in range(first, last)]
