"""Widgets side by side, which go on in the next line where there is no more room."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Gives each widget the size that it wants, from left to right and line by line."""

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
        """Place the widgets, or only tell how high their lines are."""
        x, y, tall = room.left(), room.top(), 0
        for item in self._shown():
            size = item.sizeHint()
            if x > room.left() and x + size.width() > room.right() + 1:
                x, y, tall = room.left(), y + tall + self._gap, 0
            if place:
                item.setGeometry(QRect(QPoint(x, y), size))
            x, tall = x + size.width() + self._gap, max(tall, size.height())
        return y + tall - room.top()
