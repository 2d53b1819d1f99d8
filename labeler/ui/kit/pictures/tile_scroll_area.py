"""The base of the tile views: scrolling to a tile, typing, and repainting on focus."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from labeler.ui.kit.input.search_field import forward_typing
from labeler.ui.window.theme import Appearance


class TileScrollArea(QAbstractScrollArea):
    """Scrolls up and down over tiles that a subclass paints; letters typed here go to a search."""

    typed = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @property
    def scrolled(self) -> int:
        """How many pixels of the tiles are above the viewport."""
        return self.verticalScrollBar().value()

    def fit_scroll_bar(self, height: int, *, step: int) -> None:
        """Scroll over tiles of this total height."""
        bar, page = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, height - page))
        bar.setPageStep(page)
        bar.setSingleStep(step)
        self.viewport().update()

    def scroll_to(self, top: int, bottom: int) -> None:
        """Scroll as little as needed to make a range visible."""
        height = self.viewport().height()
        if top < self.scrolled:
            self.verticalScrollBar().setValue(top)
        elif bottom > self.scrolled + height:
            self.verticalScrollBar().setValue(bottom - height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        forward_typing(event, self.typed)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
