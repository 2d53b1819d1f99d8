"""A flow layout with lines of about equal length."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


def clear_layout(layout: QLayout) -> None:
    """Remove all items from the layout and delete their widgets."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class FlowLayout(QLayout):
    """Lays out widgets at their preferred size, from left to right and line by line.

    The lines are balanced, so that the last one isn't nearly empty.
    """

    def __init__(self, parent: QWidget, *, spacing: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = spacing
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arranged(QRect(0, 0, width, 0), place=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arranged(rect, place=True)

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._shown()]
        wide = sum(size.width() + self._gap for size in sizes) - self._gap
        return QSize(max(0, wide), max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        sizes = [item.sizeHint() for item in self._shown()]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _arranged(self, room: QRect, *, place: bool) -> int:
        """Place the widgets, or only compute the height of the lines."""
        y, below = room.top(), room.top()
        for line in self._even_lines(room.width()):
            x = room.left()
            for item in line:
                size = item.sizeHint()
                if place:
                    item.setGeometry(QRect(QPoint(x, y), size))
                x, below = x + size.width() + self._gap, max(below, y + size.height())
            y = below + self._gap
        return below - room.top()

    def _even_lines(self, width: int) -> list[list[QLayoutItem]]:
        """Return balanced lines, without using more lines than necessary."""
        filled = self._lines(width)
        if len(filled) < 2:
            return filled
        narrow, wide = 0, width
        while narrow < wide:
            middle = (narrow + wide) // 2
            if len(self._lines(middle)) > len(filled):
                narrow = middle + 1
            else:
                wide = middle
        return self._lines(wide)

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        """Return the widgets by line, each line as full as possible."""
        lines: list[list[QLayoutItem]] = []
        left = 0
        for item in self._shown():
            wide = item.sizeHint().width()
            if not lines or wide > left:
                lines.append([])
                left = width
            lines[-1].append(item)
            left -= wide + self._gap
        return lines
