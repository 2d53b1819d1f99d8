"""Paints a version of a page in a list: which it is, by whom and when, and what was said of it."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QListWidget, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

COMMENT_ROLE = Qt.ItemDataRole.UserRole
_SIDE, _ABOVE, _BETWEEN, _BAR = 12, 8, 2, 4
_UNBOUNDED_HEIGHT = 1000


class VersionDelegate(QStyledItemDelegate):
    """The heading stands out; both take as many lines as they need."""

    def __init__(self, look: Appearance, versions: QListWidget) -> None:
        super().__init__(versions)
        self._look, self._list = look, versions

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,
    ) -> QSize:
        wide = self._list.viewport().width()
        return QSize(wide, sum(self._heights(index, wide)) + _BETWEEN + 2 * _ABOVE)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        area: QRect = option.rect
        painter.save()
        self._paint_ground(painter, area, option)
        inside = area.adjusted(_SIDE, _ABOVE, -_SIDE, -_ABOVE)
        heading, _comment = self._heights(index, area.width())
        wrap = Qt.TextFlag.TextWordWrap
        painter.setFont(self._look.font(TypeSize.BODY, strong=True))
        painter.setPen(self._look.colour("text"))
        painter.drawText(inside, wrap, index.data())
        inside.setTop(inside.top() + heading + _BETWEEN)
        painter.setFont(self._look.font(TypeSize.CAPTION))
        painter.setPen(self._look.colour("muted"))
        painter.drawText(inside, wrap, index.data(COMMENT_ROLE))
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRect, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, self._look.colour("accent_soft"))
            bar = QRect(area.left(), area.top(), _BAR, area.height())
            painter.fillRect(bar, self._look.colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self._look.colour("hover"))
        line = QRect(area.left(), area.bottom(), area.width(), 1)
        painter.fillRect(line, self._look.colour("line"))

    def _heights(self, index: QModelIndex | QPersistentModelIndex, wide: int) -> tuple[int, int]:
        """Of the heading and of the comment."""
        room = QRect(0, 0, max(1, wide - 2 * _SIDE), _UNBOUNDED_HEIGHT)
        fonts = self._look.font(TypeSize.BODY, strong=True), self._look.font(TypeSize.CAPTION)
        words = index.data(), index.data(COMMENT_ROLE)
        heading, comment = (
            QFontMetrics(font).boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
            if text
            else 0
            for font, text in zip(fonts, words, strict=True)
        )
        return heading, comment
