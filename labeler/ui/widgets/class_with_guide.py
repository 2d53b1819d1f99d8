"""The class in question with its references, and below them its page of the guide."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.ui.class_tools import ClassTools
from labeler.ui.widgets.class_side import ClassSide
from labeler.ui.widgets.two_columns import splitter

# In percent of the height: at the smallest window both have room.
_CLASS = 55


class ClassWithGuide(QWidget):
    """Shows both at once; the guide's key goes to the page and back, `left` back to judging."""

    left = Signal()

    def __init__(self, tools: ClassTools) -> None:
        super().__init__()
        self._tools, self._guide = tools, tools.guide
        self.side = ClassSide(tools, with_guide=False)
        self.parts = splitter(Qt.Orientation.Vertical, self.side, self._guide, percent=_CLASS)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.parts)
        self.side.left.connect(self.left)
        self._guide.left.connect(self.left)
        self._guide.align_with_neighbours()
        tools.guide_toggled.connect(self._go_to_guide_or_back)

    def show_other(self, wnid: str) -> None:
        """Show another class, and its page."""
        self.side.show_class()
        self._tools.show_class(wnid)
        self._tools.open_guide()

    def _go_to_guide_or_back(self) -> None:
        if self._guide.isAncestorOf(self.focusWidget() or self):
            self.left.emit()
        else:
            self._guide.setFocus()
