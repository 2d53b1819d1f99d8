"""Small dialogs of the workspace: ask for a name, and how to export."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from labeler.app.curation.dataset_export import BuiltLayout
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.layout.boxes import stretch
from labeler.ui.kit.text.confirm_dialog import QuestionDialog
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

LAYOUT_WORDS = {
    BuiltLayout.INDEX: "Folders named by class index (0…999)",
    BuiltLayout.WNID: "Folders named by wnid",
    BuiltLayout.MANIFEST: "A manifest of the original files, without copies",
    BuiltLayout.WEBDATASET: "A WebDataset archive (tar)",
}
assert set(LAYOUT_WORDS) == set(BuiltLayout), "every layout has words"


class NameDialog(QuestionDialog):
    """Asks for a name."""

    named = Signal(str)

    def __init__(
        self, appearance: Appearance, parent: QWidget, heading: str, words: str, *, name: str
    ) -> None:
        super().__init__(appearance, parent, heading)
        self.name = QLineEdit(name)
        self.name.setAccessibleName(words)
        self.name.selectAll()
        self.do = CommandButton(appearance, heading, kind=ButtonKind.PRIMARY)
        self.do.clicked.connect(self._answer)
        self.name.returnPressed.connect(self._answer)
        self.lay_out(label(words, wrap=True), self.name, buttons=(stretch(1), self.cancel, self.do))
        self.name.setFocus()

    def _answer(self) -> None:
        name = self.name.text().strip()
        if name:
            self.accept()
            self.named.emit(name)


class ExportDialog(QuestionDialog):
    """Asks how a revision is exported; the folder is chosen afterwards."""

    chosen = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget, heading: str) -> None:
        super().__init__(appearance, parent, heading)
        self.layout_choice = ChoiceBox(appearance, "Layout")
        for layout, words in LAYOUT_WORDS.items():
            self.layout_choice.addItem(words, layout)
        self.do = CommandButton(appearance, "Choose folder…", kind=ButtonKind.PRIMARY)
        self.do.clicked.connect(self._answer)
        self.lay_out(
            label("A manifest and a data card are written as well.", wrap=True),
            self.layout_choice,
            buttons=(stretch(1), self.cancel, self.do),
        )

    def _answer(self) -> None:
        self.accept()
        self.chosen.emit(list(LAYOUT_WORDS)[self.layout_choice.currentIndex()])
