"""Widgets side by side, of which the last are left out where there is no room for them."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class CollapsingRow(QWidget):
    """Gives each part the width it wants or leaves it out; none is cut."""

    def __init__(self, parts: Sequence[QWidget], *, spacing: int) -> None:
        super().__init__()
        self._parts, self._spacing = tuple(parts), spacing
        self._unwanted: set[QWidget] = set()
        for part in self._parts:
            part.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def want(self, part: QWidget, wanted: bool) -> None:
        """Have a part in the row, where it fits, or not."""
        self._unwanted = self._unwanted - {part} if wanted else self._unwanted | {part}
        self._arrange()

    def sizeHint(self) -> QSize:
        sizes = [part.sizeHint() for part in self._wanted]
        wide = sum(size.width() + self._spacing for size in sizes)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._arrange()
        return super().event(event)

    @property
    def _wanted(self) -> list[QWidget]:
        return [part for part in self._parts if part not in self._unwanted]

    def _arrange(self) -> None:
        x = 0
        for part in self._parts:
            wide = part.sizeHint().width()
            fits = part not in self._unwanted and x + wide <= self.width()
            part.setVisible(fits)
            if fits:
                part.setGeometry(x, 0, wide, self.height())
                x += wide + self._spacing
            elif part not in self._unwanted:
                # Whatever comes after it matters less.
                x = self.width()
