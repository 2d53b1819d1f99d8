"""The class in question with its references, and below them its page of the guide."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.review.class_panel import ClassPanel
from labeler.ui.review.two_columns import two_part_splitter

if TYPE_CHECKING:
    from labeler.ui.guide.guide_panel import GuidePanel

# In percent of the height: at the smallest window both have room.
_CLASS_SHARE = 55


class ClassGuidePanel(QWidget):
    """Shows both at once; the guide's key goes to the page and back, `left` back to judging.

    The guide comes when it is filled in, or sooner where somebody turns to it.
    """

    left = Signal()

    def __init__(self, tools: ClassTools, *, percent: int | None = None) -> None:
        """`percent` of the height is the class's, where somebody has chosen that."""
        super().__init__()
        self._tools = tools
        self._guide: GuidePanel | None = None
        # Writing a page takes as long as painting a grid: it comes when that is painted.
        self._turning = QTimer(self, interval=0, singleShot=True)
        self._turning.timeout.connect(tools.open_guide)
        self.side = ClassPanel(tools, with_guide=False)
        self._below = QWidget()
        QVBoxLayout(self._below).setContentsMargins(0, 0, 0, 0)
        share = percent or _CLASS_SHARE
        self.parts = two_part_splitter(
            Qt.Orientation.Vertical, self.side, self._below, percent=share
        )
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.parts)
        self.side.left.connect(self.left)
        tools.guide_toggled.connect(self._go_to_guide_or_back)

    def show_other(self, wnid: str) -> None:
        """Show another class, and its page."""
        if self.side.is_filled:
            self.side.show_class()
        self._tools.show_class(wnid)
        if self._guide is not None:
            self._turning.start()

    def stop(self) -> None:
        """Open no page any more: the screen is about to go."""
        self._turning.stop()

    def fill_guide(self) -> "GuidePanel":
        """Make the guide, open at the class in question."""
        if self._guide is None:
            self._guide = guide = self._tools.guide
            guide.align_with_neighbours()
            guide.left.connect(self.left)
            layout = self._below.layout()
            assert layout is not None
            layout.addWidget(guide)
            self._tools.open_guide()
        return self._guide

    def _go_to_guide_or_back(self) -> None:
        guide = self.fill_guide()
        if guide.isAncestorOf(self.focusWidget() or self):
            self.left.emit()
        else:
            guide.setFocus()
