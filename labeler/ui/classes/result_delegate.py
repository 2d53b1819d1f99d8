"""A class found: its picture, and in three lines its names, its gloss, its place."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from labeler.app.classes.class_view import ClassListRow
from labeler.ui.classes.result_model import RESULT_ROW_ROLE
from labeler.ui.kit.text.text_painter import LineStyle, draw_highlighted, elide_path
from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

_SIDE, _TOP, _BAR = 16, 6, 4
_PICTURE, _PICTURE_SPACING = QSizeF(64, 48), 12

ThumbnailSource = Callable[[str], QImage | None]


class ClassResultDelegate(QStyledItemDelegate):
    """Paints a class in three lines beside its picture, where there are pictures at all."""

    def __init__(self, look: Appearance, picture_of: ThumbnailSource | None = None) -> None:
        super().__init__()
        self._look = look
        self._picture_of = picture_of
        look.changed.connect(self._apply_theme)
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
            painter.fillRect(area, self._look.colour("accent_soft"))
            painter.fillRect(
                QRectF(area.left(), area.top(), _BAR, area.height()), self._look.colour("accent")
            )
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self._look.colour("hover"))

    def _paint_picture(self, painter: QPainter, area: QRectF, picture: QImage | None) -> None:
        frame = QRectF(area.topLeft(), _PICTURE)
        frame.moveTop(area.top() + (area.height() - _PICTURE.height()) // 2)
        if picture is None:
            painter.setPen(self._look.colour("line"))
            painter.setBrush(self._look.colour("hover"))
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
        self._names = self._style(self._look.font(TypeSize.BODY, strong=True), "text")
        self._notes = self._style(self._look.font(TypeSize.CAPTION), "muted")
        self._name_height = self._names.metrics.height() + 2
        self._note_height = self._notes.metrics.height() + 1

    def _style(self, font: QFont, text: str) -> LineStyle:
        colour = self._look.colour
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
