"""The class in question next to what is judged: its references, the guide or the taxonomy."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.guide.guide_panel import GuidePanel
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.review.two_columns import two_part_splitter


class ClassPanel(QStackedWidget):
    """Shows one of them at a time; emits `left` when the focus should return to judging.

    Creating the parts takes a moment, so it is done in `fill`, or earlier if needed.
    """

    left = Signal()

    def __init__(self, tools: ClassTools, *, with_guide: bool = True) -> None:
        """`with_guide` is false if the guide is elsewhere on the screen."""
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
        """Create the parts for a class."""
        if not self.is_filled:
            self.is_filled = True
            self.addWidget(self._tools.class_view.widget)
            self._tools.class_view.left.connect(self.left)

    def show_class(self) -> None:
        self.fill()
        self.setCurrentWidget(self._tools.class_view.widget)

    def show_other(self, wnid: str) -> None:
        """Show another class, also in the guide if that is open."""
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


# In percent of the height: both fit in the smallest window.
_CLASS_SHARE = 55


class ClassGuidePanel(QWidget):
    """Shows both; the guide's key moves to the page and back, `left` returns to judging.

    The guide is created in `fill_guide`, or earlier if needed.
    """

    left = Signal()

    def __init__(self, tools: ClassTools, *, percent: int | None = None) -> None:
        """`percent` is the class's share of the height, if the person has changed it."""
        super().__init__()
        self._tools = tools
        self._guide: GuidePanel | None = None
        # Rendering a page takes as long as painting a grid, so it is done afterwards.
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
        """Show another class and its page."""
        if self.side.is_filled:
            self.side.show_class()
        self._tools.show_class(wnid)
        if self._guide is not None:
            self._turning.start()

    def show_guide(self, shown: bool) -> None:
        """Show or hide the page below the class."""
        self._below.setVisible(shown)

    def stop(self) -> None:
        """Open no more pages: the screen is closing."""
        self._turning.stop()

    def fill_guide(self) -> GuidePanel:
        """Create the guide, opened at the class in question."""
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
