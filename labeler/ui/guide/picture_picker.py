"""Choosing one of a class's reference images for a page of the guide."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QWidget

from labeler.app.classes.browser import ClassBrowserView
from labeler.app.classes.references import ReferencesView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.classes.class_picker_dialog import ClassPickerDialog
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.classes.reference_keys import reference_image_keys
from labeler.ui.classes.reference_panel import ReferencePanel
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.look import Appearance

_SIZE = QSize(1040, 640)
_FINDER = 360
_INSTRUCTION = "⏎ goes on to the pictures, there enlarges one, and again inserts it."


class ReferenceImageDialog(ClassPickerDialog):
    """The finder at the left, the class's reference images at the right."""

    picture_picked = Signal(str, int)

    def __init__(
        self,
        look: Appearance,
        keymap: Keymap,
        present: ClassPresenters,
        parent: QWidget,
        *,
        begin: str,
    ) -> None:
        """`begin` is the class to begin at."""
        self.panel = ReferencePanel(look, keymap, originals=present.originals)
        super().__init__(
            look, keymap, present, parent, title="Insert a reference picture", button="Insert"
        )
        self.resize(_SIZE)
        self._add_side_panel()
        self.foot.insertWidget(0, label(_INSTRUCTION, rank="caption"))
        keys = reference_image_keys(self.panel.grid, leave=self.finder.setFocus)
        bind_scope(
            self.panel.grid, keymap, Scope.REFERENCES, {**keys, Action.ENLARGE: self._look_or_take}
        )
        self.panel.grid.typed.connect(self._type_on)
        present.references.listen(self._render_references)
        self.render_view(present.browser.go_to(begin))

    def render_view(self, view: ClassBrowserView) -> None:
        super().render_view(view)
        if view.wnid is not None:
            self._present.references.open(view.wnid)

    def enter(self) -> None:
        """From the search go on to the pictures."""
        self.panel.grid.setFocus()

    def pick(self) -> None:
        """Take the current picture, and close."""
        if self.panel.grid.tiles and self.wnid is not None:
            self.accept()
            self.picture_picked.emit(self.wnid, self.panel.grid.current + 1)

    def _look_or_take(self) -> None:
        """Enlarge the current picture; once it is large, the same key takes it."""
        if self.panel.grid.is_enlarged:
            self.pick()
        else:
            self.panel.grid.enlarge_or_put_back()

    def _render_references(self, view: ReferencesView[QImage]) -> None:
        details = self._present.browser.view.details
        self.panel.render_references(view, name=details.name if details else "")

    def _type_on(self, text: str) -> None:
        self.finder.field.setFocus()
        self.finder.field.insert(text)
        self.render_view(self._present.browser.search(self.finder.field.text()))

    def _add_side_panel(self) -> None:
        across = QHBoxLayout()
        across.setSpacing(16)
        self.finder.setFixedWidth(_FINDER)
        self.column.removeWidget(self.finder)
        across.addWidget(self.finder)
        across.addWidget(self.panel, stretch=1)
        self.column.insertLayout(1, across, stretch=1)
