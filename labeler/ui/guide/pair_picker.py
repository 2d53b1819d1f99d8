"""Choosing the pair of classes for which a row is to be written."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from labeler.app.classes.class_view import ClassLink
from labeler.app.keymap import Keymap
from labeler.ui.classes.class_picker_dialog import ClassPickerDialog
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance


class ClassPairDialog(ClassPickerDialog):
    """One of the page's classes on top, its look-alike found below."""

    pair_picked = Signal(str, str)

    def __init__(
        self,
        look: Appearance,
        keymap: Keymap,
        present: ClassPresenters,
        parent: QWidget,
        *,
        covered: Sequence[ClassLink],
    ) -> None:
        super().__init__(
            look, keymap, present, parent, title="Tell a class from another", button="Insert row"
        )
        self._covered = covered
        self.choices = QButtonGroup(self)
        self.column.insertLayout(1, self._classes())
        self.picked.connect(self._pass_on)

    def _classes(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label("Tell", rank="muted"))
        for number, link in enumerate(self._covered):
            button = CommandButton(self._look, link.name, kind=ButtonKind.ROLE)
            button.setCheckable(True)
            button.setChecked(number == 0)
            self.choices.addButton(button, number)
            row.addWidget(button)
        row.addWidget(label("from", rank="muted"))
        row.addStretch()
        return row

    def _pass_on(self, other: str) -> None:
        self.pair_picked.emit(self._covered[max(0, self.choices.checkedId())].wnid, other)
