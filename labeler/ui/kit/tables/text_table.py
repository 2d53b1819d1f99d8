"""Tables of plain text that are as high as their rows."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem

_TABLE_MAX_HEIGHT = 240


class _FittedTable(QTreeWidget):
    """A table as high as its rows, since Qt would leave a gap below a single one.

    The height is limited to a whole number of rows; a table that `grows` can exceed the limit.
    """

    def __init__(self, *, grows: bool) -> None:
        super().__init__()
        self._grows = grows

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint if self._grows else hint.boundedTo(QSize(hint.width(), self._limit()))

    def minimumSizeHint(self) -> QSize:
        least = min(super().sizeHint().height(), self._limit())
        return QSize(super().minimumSizeHint().width(), least)

    def _limit(self) -> int:
        row = self.rowHeight(self.model().index(0, 0))
        if row <= 0:
            return _TABLE_MAX_HEIGHT
        frame_height = super().sizeHint().height() - row * self.topLevelItemCount()
        return frame_height + (_TABLE_MAX_HEIGHT - frame_height) // row * row

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A narrow table gets a horizontal scroll bar, which changes its height.
        self.updateGeometry()


def text_table(name: str, headings: Sequence[str], *, grows: bool = False) -> QTreeWidget:
    """Return a text table as high as its rows; one that `grows` uses all available height."""
    made = _FittedTable(grows=grows)
    made.setAccessibleName(name)
    made.setRootIsDecorated(False)
    made.setUniformRowHeights(True)
    made.setHeaderLabels(list(headings))
    made.setSizeAdjustPolicy(QTreeWidget.SizeAdjustPolicy.AdjustToContents)
    made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
    return made


def fill_table(into: QTreeWidget, rows: Sequence[Sequence[str]]) -> None:
    """Show these rows, and keep the current one."""
    current = into.currentItem()
    chosen = current.text(0) if current is not None else ""
    into.clear()
    for row in rows:
        item = QTreeWidgetItem(list(row))
        into.addTopLevelItem(item)
        if row[0] == chosen:
            into.setCurrentItem(item)
    for column in range(into.columnCount()):
        # A stretched column is cut off instead of widening the table.
        if into.header().sectionResizeMode(column) is not QHeaderView.ResizeMode.Stretch:
            into.resizeColumnToContents(column)
