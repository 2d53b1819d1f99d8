"""A class found, painted in three lines: name, other names and gloss, place in the taxonomy."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from labeler.app.presenters.class_views import ResultRow
from labeler.ui.look import Look
from labeler.ui.theme import TypeSize
from labeler.ui.widgets.marked_text import Inks, draw_marked, fit_path
from labeler.ui.widgets.result_model import ROW

_SIDE, _TOP, _BAR = 16, 6, 4


class ResultDelegate(QStyledItemDelegate):
    """Paints a class in three lines."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002
    ) -> QSize:
        name, small = self._line_heights()
        return QSize(200, round(name + 2 * small + 2 * _TOP))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row: ResultRow = index.data(ROW)
        area = QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, area, option)
        self._paint_lines(painter, area.adjusted(_SIDE, _TOP, -_SIDE, -_TOP), row)
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

    def _paint_lines(self, painter: QPainter, area: QRectF, row: ResultRow) -> None:
        name_height, small_height = self._line_heights()
        small = self._look.font(TypeSize.CAPTION)
        strong = self._look.font(TypeSize.BODY, strong=True)
        first = QRectF(area.left(), area.top(), area.width(), name_height)
        second = QRectF(area.left(), first.bottom(), area.width(), small_height)
        third = second.translated(0, small_height)
        path, path_spans = fit_path(row.path, row.path_spans, font=small, width=area.width())
        names, notes = self._inks("text"), self._inks("muted")
        draw_marked(painter, first, row.name, spans=row.name_spans, font=strong, inks=names)
        draw_marked(painter, second, row.note, spans=row.note_spans, font=small, inks=notes)
        draw_marked(painter, third, path, spans=path_spans, font=small, inks=notes)

    def _inks(self, text: str) -> Inks:
        colour = self._look.colour
        return Inks(text=colour(text), mark=colour("match"), on_mark=colour("on_match"))

    def _line_heights(self) -> tuple[float, float]:
        name = QFontMetricsF(self._look.font(TypeSize.BODY, strong=True)).height()
        return name + 2, QFontMetricsF(self._look.font(TypeSize.CAPTION)).height() + 1
