"""A table's cell with a box to tick, legible in both themes."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from labeler.ui.window.icons import paint_icon
from labeler.ui.window.look import Appearance

_BOX = 20


class CheckBoxDelegate(QStyledItemDelegate):
    """Paints the program's box over Qt's, whose outline the dark theme swallows."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        style = option.widget.style() if option.widget is not None else QApplication.style()
        part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        box = QRectF(0, 0, _BOX, _BOX)
        box.moveCenter(QRectF(style.subElementRect(part, cell, option.widget)).center())
        ticked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        behind = self._look.colour("accent_soft" if chosen else "surface")
        painter.fillRect(box, behind)
        paint_icon(
            painter,
            box,
            "ticked" if ticked else "unticked",
            colour=self._look.colour("accent" if ticked else "strong_line").name(),
            behind=behind.name(),
        )
