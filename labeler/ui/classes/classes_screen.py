"""The screen for looking up classes outside a task, without an image."""

from PySide6.QtWidgets import QWidget

from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.layout.boxes import hsplit, vbox
from labeler.ui.window.context import StudyContext

_FINDER_WIDTH, _TAXONOMY_WIDTH, _CLASS_VIEW_WIDTH, _GUIDE_WIDTH = 372, 250, 640, 440


class ClassesScreen(QWidget):
    """The finder, the taxonomy and the class panel in columns, and the guide on request."""

    def __init__(self, context: StudyContext) -> None:
        super().__init__()
        self.tools = ClassTools(context)
        self._lay_out()
        self.tools.bind_keys(self, context.keymap)
        self.tools.entered.connect(lambda _wnid: self.tools.class_view.panel.grid.setFocus())
        self.tools.taxonomy_wanted.connect(self.tools.taxonomy.setFocus)
        self.tools.guide_wanted.connect(self._show_guide)
        self.tools.guide_toggled.connect(self._toggle_guide)
        self.destroyed.connect(self.tools.close)

    def start(self) -> None:
        """Show all classes, and select the first one with pictures."""
        self.tools.start()
        self.tools.focus_search()

    def _lay_out(self) -> None:
        across = hsplit(
            self.tools.finder,
            self.tools.taxonomy,
            self.tools.class_view.widget,
            sizes=(_FINDER_WIDTH, _TAXONOMY_WIDTH, _CLASS_VIEW_WIDTH),
            shares=(0, 0, 1),
        )
        self._across = across
        vbox(across, on=self, margins=(16, 16, 16, 8))

    def _show_guide(self) -> None:
        if self._across.indexOf(self.tools.guide) < 0:
            self._across.addWidget(self.tools.guide)
            self._across.setSizes([_FINDER_WIDTH, _TAXONOMY_WIDTH, _CLASS_VIEW_WIDTH, _GUIDE_WIDTH])
        self.tools.guide.show()
        self.tools.guide.setFocus()

    def _toggle_guide(self) -> None:
        if self.tools.guide.isVisible():
            self.tools.guide.hide()
            self.tools.focus_search()
        else:
            self.tools.open_guide()
