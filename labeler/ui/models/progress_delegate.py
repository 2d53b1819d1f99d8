"""A table's cell that shows how much is done: words above a line that fills."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from labeler.app.models.models_views import ModelRow
from labeler.ui.models.model_table_model import MODEL_ROW_ROLE
from labeler.ui.window.look import Appearance

_BAR_HEIGHT, _SIDE, _BELOW = 4, 11, 6
_WIDTH = 264
_TRACK_OPACITY = 0.4


class ProgressDelegate(QStyledItemDelegate):
    """Paints the cell as the table would, and the line below its words."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        words = QStyleOptionViewItem(option)
        words.rect = option.rect.adjusted(0, 0, 0, -_BELOW)
        super().paint(painter, words, index)
        row: ModelRow = index.data(MODEL_ROW_ROLE)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        track = QColor(self._look.colour("strong_line" if chosen else "line"))
        if chosen:  # its row has a colour of its own, in which the usual line drowns
            track.setAlphaF(_TRACK_OPACITY)
        self._paint_line(painter, QRectF(option.rect), row, track)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(_WIDTH, 0))

    def _paint_line(self, painter: QPainter, cell: QRectF, row: ModelRow, track: QColor) -> None:
        line = QRectF(
            cell.left() + _SIDE, cell.bottom() - _BELOW - 2, cell.width() - 2 * _SIDE, _BAR_HEIGHT
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(track)
        painter.drawRoundedRect(line, _BAR_HEIGHT / 2, _BAR_HEIGHT / 2)
        if row.done and row.total:
            line.setWidth(max(line.width() * row.done / row.total, _BAR_HEIGHT))
            painter.setBrush(self._look.colour("accent"))
            painter.drawRoundedRect(line, _BAR_HEIGHT / 2, _BAR_HEIGHT / 2)
        painter.restore()
