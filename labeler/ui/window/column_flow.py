"""Cards in as many columns as fit, filled from the left, each about as long as the others."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

_COLUMN_GAP = 16


class ColumnFlow(QWidget):
    """Arranges widgets of different heights; it says how high that makes it."""

    def __init__(self, widgets: Sequence[QWidget], *, column_width: int) -> None:
        super().__init__()
        self._widgets = widgets
        self._column_width = column_width
        for widget in widgets:
            widget.setParent(self)

    def arrange(self) -> None:
        """Lay out again after widgets were shown, hidden or changed in height."""
        shown = [widget for widget in self._widgets if not widget.isHidden()]
        count = max(1, (self.width() + _COLUMN_GAP) // (self._column_width + _COLUMN_GAP))
        width = (self.width() - (count - 1) * _COLUMN_GAP) // count
        heights = [_column_height(widget, width) for widget in shown]
        columns = balanced_columns(heights, count=count, gap=_COLUMN_GAP)
        ends = [0] * count
        for widget, height, column in zip(shown, heights, columns, strict=True):
            widget.setGeometry(column * (width + _COLUMN_GAP), ends[column], width, height)
            ends[column] += height + _COLUMN_GAP
        self.setMinimumHeight(max(0, max(ends) - _COLUMN_GAP))

    def sizeHint(self) -> QSize:
        return QSize(self._column_width, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()


def balanced_columns(heights: Sequence[int], *, count: int, gap: int) -> list[int]:
    """For each height its column: in order, with the tallest column as low as may be."""
    low, high = max(heights, default=0), sum(heights) + gap * len(heights)
    while low < high:
        limit = (low + high) // 2
        if max(_fill_columns(heights, limit, gap), default=0) < count:
            high = limit
        else:
            low = limit + 1
    return _fill_columns(heights, low, gap)


def _fill_columns(heights: Sequence[int], limit: int, gap: int) -> list[int]:
    columns, column, used = [], 0, 0
    for height in heights:
        if used and used + gap + height > limit:
            column, used = column + 1, 0
        used += height + (gap if used else 0)
        columns.append(column)
    return columns


def _column_height(widget: QWidget, width: int) -> int:
    layout = widget.layout()
    if layout is not None and layout.hasHeightForWidth():
        return layout.totalHeightForWidth(width)
    return widget.sizeHint().height()
