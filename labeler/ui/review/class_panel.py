"""The class in question next to what is judged: its references, or the guide, or the taxonomy."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.guide.guide_panel import GuidePanel
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.review.two_columns import two_part_splitter


class ClassPanel(QStackedWidget):
    """Shows one of them at a time; `left` when the keyboard should go back to judging.

    What there is to see of a class takes a moment to make: it comes when the side is filled, or
    sooner where someone turns to it.
    """

    left = Signal()

    def __init__(self, tools: ClassTools, *, with_guide: bool = True) -> None:
        """`with_guide` is false where the guide is elsewhere on the screen."""
        super().__init__()
        self._tools = tools
        self._guide: QWidget | None = None
        self._taxonomy: QWidget | None = None
        self.is_filled = False
        if with_guide:
            tools.guide_wanted.connect(self._show_guide)
            tools.guide_toggled.connect(self._toggle_guide)
        tools.taxonomy_wanted.connect(self._show_taxonomy)
        tools.class_view_wanted.connect(self.show_class)

    def fill(self) -> None:
        """Make what there is to see of a class."""
        if not self.is_filled:
            self.is_filled = True
            self.addWidget(self._tools.class_view.widget)
            self._tools.class_view.left.connect(self.left)

    def show_class(self) -> None:
        self.fill()
        self.setCurrentWidget(self._tools.class_view.widget)

    def show_other(self, wnid: str) -> None:
        """Show another class, in the guide too where that is being read."""
        self._tools.show_class(wnid)
        if self._reads_guide:
            self._tools.open_guide()

    @property
    def _reads_guide(self) -> bool:
        return self._guide is not None and self.currentWidget() is self._guide

    def _show_guide(self) -> None:
        guide = self._tools.guide
        if self._guide is None:
            self._guide = guide
            guide.align_with_neighbours()
            self.addWidget(guide)
            guide.left.connect(self._leave)
        self.setCurrentWidget(guide)

    def _toggle_guide(self) -> None:
        shown = self.currentWidget()
        if shown is None or shown not in (self._guide, self._taxonomy):
            self._tools.open_guide()
        else:
            self._leave()

    def _show_taxonomy(self) -> None:
        taxonomy = self._tools.taxonomy
        if self._taxonomy is None:
            self._taxonomy = taxonomy
            self.addWidget(taxonomy)
            taxonomy.left.connect(self._leave)
        self.setCurrentWidget(taxonomy)
        taxonomy.setFocus()

    def _leave(self) -> None:
        self.show_class()
        self.left.emit()


# In percent of the height: at the smallest window both have room.
_CLASS_SHARE = 55


class ClassGuidePanel(QWidget):
    """Shows both at once; the guide's key goes to the page and back, `left` back to judging.

    The guide comes when it is filled in, or sooner where someone turns to it.
    """

    left = Signal()

    def __init__(self, tools: ClassTools, *, percent: int | None = None) -> None:
        """`percent` of the height is the class's, where someone has chosen that."""
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
        vbox(self.parts, on=self)
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

    def fill_guide(self) -> GuidePanel:
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
