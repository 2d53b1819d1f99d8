"""Choosing the class, or the family of classes, that a new page of the guide covers."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from labeler.app.classes.browser import ClassBrowserView
from labeler.app.classes.class_view import ClassLink
from labeler.app.keymap import Keymap
from labeler.ui.classes.chip_row import ClassChipRow
from labeler.ui.classes.class_picker_dialog import ClassPickerDialog
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.window.look import Appearance

_ADD_TEXT, _CREATE_TEXT = "Add the class", "Begin the page"


class PageClassesDialog(ClassPickerDialog):
    """Return adds the class in focus; on one that is there already it begins the page."""

    classes_picked = Signal(list)

    def __init__(
        self, look: Appearance, keymap: Keymap, present: ClassPresenters, parent: QWidget
    ) -> None:
        self.wnids: list[str] = []
        super().__init__(look, keymap, present, parent, title="New page", button=_ADD_TEXT)
        self.chips = ClassChipRow("Covers", none="no class yet: find one and press Return")
        self.chips.chosen.connect(self._drop)
        self.chips.show_links(())
        self.column.insertWidget(1, self.chips)

    def render_view(self, view: ClassBrowserView) -> None:
        super().render_view(view)
        self.take.set_words(_CREATE_TEXT if view.wnid in self.wnids else _ADD_TEXT)

    def pick(self) -> None:
        """Add the class, or begin when it is among them."""
        if self.wnid in self.wnids:
            self.accept()
            self.classes_picked.emit(list(self.wnids))
        elif self.wnid is not None:
            self.wnids.append(self.wnid)
            self._show_chosen()

    def _drop(self, wnid: str) -> None:
        self.wnids.remove(wnid)
        self._show_chosen()

    def _show_chosen(self) -> None:
        row = self._present.browser.row
        self.chips.show_links(tuple(ClassLink(wnid, row(wnid).name) for wnid in self.wnids))
        self.render_view(self._present.browser.view)
        self.finder.field.selectAll()
