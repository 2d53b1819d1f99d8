"""The class in question beside what is judged: its references, or the guide, or the taxonomy."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from labeler.ui.classes.class_tools import ClassTools


class ClassPanel(QStackedWidget):
    """Shows one of them at a time; `left` when the keyboard should go back to judging.

    What there is to see of a class takes a moment to make: it comes when the side is filled, or
    sooner where somebody turns to it.
    """

    left = Signal()

    def __init__(self, tools: ClassTools, *, with_guide: bool = True) -> None:
        """`with_guide` is false where the guide stands elsewhere on the screen."""
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
            self.addWidget(self._tools.sights.widget)
            self._tools.sights.left.connect(self.left)

    def show_class(self) -> None:
        self.fill()
        self.setCurrentWidget(self._tools.sights.widget)

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
