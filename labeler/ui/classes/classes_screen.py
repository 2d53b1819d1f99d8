"""The screen for looking up classes outside a task, without an image."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from labeler.app.keymap import Keymap
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.window.saved_state import SavedWindowState
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import OpenedStudy

_FINDER_WIDTH, _CLASS_VIEW_WIDTH, _GUIDE_WIDTH = 400, 800, 440


class ClassesScreen(QWidget):
    """The finder above the taxonomy, the class panel next to them, and the guide on request."""

    def __init__(
        self,
        *,
        appearance: Appearance,
        keymap: Keymap,
        study: "OpenedStudy",
        workers: Workers,
        memory: SavedWindowState,
    ) -> None:
        super().__init__()
        self.tools = ClassTools(
            appearance=appearance, keymap=keymap, study=study, workers=workers, memory=memory
        )
        self._lay_out()
        self.tools.bind_keys(self, keymap)
        self.tools.entered.connect(lambda _wnid: self.tools.class_view.panel.grid.setFocus())
        self.tools.taxonomy_wanted.connect(self.tools.taxonomy.setFocus)
        self.tools.guide_wanted.connect(self._show_guide)
        self.tools.guide_toggled.connect(self._toggle_guide)
        self.destroyed.connect(self.tools.close)

    def start(self, *, guide: bool) -> None:
        """Show all classes, and select the first one with pictures."""
        self.tools.start()
        self.tools.focus_search()
        if guide:
            self.tools.open_guide()

    def _lay_out(self) -> None:
        left = _splitter(Qt.Orientation.Vertical)
        left.addWidget(self.tools.finder)
        left.addWidget(self.tools.taxonomy)
        across = _splitter(Qt.Orientation.Horizontal)
        across.addWidget(left)
        across.addWidget(self.tools.class_view.widget)
        across.setStretchFactor(1, 1)
        across.setSizes([_FINDER_WIDTH, _CLASS_VIEW_WIDTH])
        self._across = across
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 8)
        layout.addWidget(across)

    def _show_guide(self) -> None:
        if self._across.indexOf(self.tools.guide) < 0:
            self._across.addWidget(self.tools.guide)
            self._across.setSizes([_FINDER_WIDTH, _CLASS_VIEW_WIDTH, _GUIDE_WIDTH])
        self.tools.guide.show()
        self.tools.guide.setFocus()

    def _toggle_guide(self) -> None:
        if self.tools.guide.isVisible():
            self.tools.guide.hide()
            self.tools.focus_search()
        else:
            self.tools.open_guide()


def _splitter(orientation: Qt.Orientation) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(16)
    splitter.setChildrenCollapsible(False)
    return splitter
