"""Dialogs to choose classes and reference images for a guide page."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from labeler.app.classes.browser import ClassBrowserView
from labeler.app.classes.class_view import ClassLink
from labeler.app.classes.references import ReferencesView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.classes.chip_row import ClassChipRow
from labeler.ui.classes.class_picker_dialog import ClassPickerDialog
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.classes.reference_grid import reference_image_keys
from labeler.ui.classes.reference_panel import ReferencePanel
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import hbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance


class ClassPairDialog(ClassPickerDialog):
    """A class of the page on top, its look-alike below."""

    pair_picked = Signal(str, str)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        present: ClassPresenters,
        parent: QWidget,
        *,
        covered: Sequence[ClassLink],
    ) -> None:
        super().__init__(
            appearance,
            keymap,
            present,
            parent,
            title="Distinguish two classes",
            button="Insert row",
        )
        self._covered = covered
        self.choices = QButtonGroup(self)
        self.column.insertLayout(1, self._classes())
        self.picked.connect(self._pass_on)

    def _classes(self) -> QHBoxLayout:
        row = hbox(label("Tell", rank="muted"))
        for number, link in enumerate(self._covered):
            button = CommandButton(self._appearance, link.name, kind=ButtonKind.ROLE)
            button.setCheckable(True)
            button.setChecked(number == 0)
            self.choices.addButton(button, number)
            row.addWidget(button)
        row.addWidget(label("from", rank="muted"))
        row.addStretch()
        return row

    def _pass_on(self, other: str) -> None:
        self.pair_picked.emit(self._covered[max(0, self.choices.checkedId())].wnid, other)


_SIZE = QSize(1040, 640)
_FINDER = 360
_INSTRUCTION = "Press ⏎ to go to the pictures, again to enlarge one, and again to insert it."


class ReferenceImageDialog(ClassPickerDialog):
    """The finder on the left, the class's reference images on the right."""

    picture_picked = Signal(str, int)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        present: ClassPresenters,
        parent: QWidget,
        *,
        begin: str,
    ) -> None:
        """`begin` is the initial class."""
        self.panel = ReferencePanel(appearance, keymap, originals=present.originals)
        super().__init__(
            appearance, keymap, present, parent, title="Insert reference image", button="Insert"
        )
        self.resize(_SIZE)
        self._add_side_panel()
        self.foot.insertWidget(0, label(_INSTRUCTION, rank="caption"))
        keys = reference_image_keys(self.panel.grid, leave=self.finder.setFocus)
        bind_scope(
            self.panel.grid,
            keymap,
            Scope.REFERENCES,
            {**keys, Action.ENLARGE: self._enlarge_or_take},
        )
        self.panel.grid.typed.connect(self._type_on)
        present.references.listen(self._render_references)
        self.render_view(present.browser.go_to(begin))

    def render_view(self, view: ClassBrowserView) -> None:
        super().render_view(view)
        if view.wnid is not None:
            self._present.references.open(view.wnid)

    def enter(self) -> None:
        """Go from the search to the pictures."""
        self.panel.grid.setFocus()

    def pick(self) -> None:
        """Accept the current picture and close."""
        if self.panel.grid.tiles and self.wnid is not None:
            self.accept()
            self.picture_picked.emit(self.wnid, self.panel.grid.current + 1)

    def _enlarge_or_take(self) -> None:
        """Enlarge the current picture; if it is enlarged, accept it."""
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


_ADD_TEXT, _CREATE_TEXT = "Add class", "Create page"


class PageClassesDialog(ClassPickerDialog):
    """Return adds the focused class; if it was already added, the page is created."""

    classes_picked = Signal(list)

    def __init__(
        self, appearance: Appearance, keymap: Keymap, present: ClassPresenters, parent: QWidget
    ) -> None:
        self.wnids: list[str] = []
        super().__init__(appearance, keymap, present, parent, title="New page", button=_ADD_TEXT)
        self.chips = ClassChipRow("Covers", none="no class yet; find one and press Return")
        self.chips.chosen.connect(self._drop)
        self.chips.show_links(())
        self.column.insertWidget(1, self.chips)

    def render_view(self, view: ClassBrowserView) -> None:
        super().render_view(view)
        self.take.set_words(_CREATE_TEXT if view.wnid in self.wnids else _ADD_TEXT)

    def pick(self) -> None:
        """Add the class, or create the page if it was already added."""
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
