"""Classes that are often confused: how many pairs there are, and importing them from a file."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame

from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.text import count_noun
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.study.file_drop import FileDropMixin
from labeler.ui.study.setup.form import CardForm, HintLabel, with_hint
from labeler.ui.study.setup.setup_panel import push_button, row_layout, text_field
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "Labelers see these classes as look-alikes of each other, after those of the guide and of the "
    "group's training mistakes. Choose a CSV file with the columns wnid_a, wnid_b and count. It "
    "replaces the file before."
)
NO_PAIRS = "No file was imported."


def pairs_text(count: int) -> str:
    return f"{count_noun(count, 'pair')} of classes."


class ConfusionsCard(FileDropMixin, QFrame):
    """Imports a file once the lead has confirmed that it was made on other images."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._set_up = set_up
        self.held = HintLabel(rank="body")
        self.file = text_field("File of confusions", placeholder="Choose a file, or drop it here")
        # Otherwise the URL of a dropped file would be inserted as text.
        self.file.setAcceptDrops(False)
        self.browse = push_button("Browse…", "Browse for a file of confusions")
        self.outside = CheckBox(appearance, "Made on images outside this study")
        self.give = push_button("&Import")
        self.remove = push_button("Remove", "Remove the imported pairs")
        self.setAcceptDrops(True)
        form = CardForm(self)
        form.add("Often confused", self.held)
        form.add("", with_hint(row_layout(self.file, self.browse), HintLabel(_ABOUT)))
        form.add("", self.outside)
        form.add("", row_layout(self.give, self.remove, stretch=False))
        self._connect()
        self._enable()

    def render_facts(self, facts: SetupFacts) -> None:
        pairs = facts.confused_pairs
        self.held.setText(pairs_text(pairs) if pairs else NO_PAIRS)
        self.remove.setEnabled(pairs > 0)

    def handle_dropped_files(self, paths: list[Path]) -> None:
        self.file.setText(str(paths[0]))

    def _connect(self) -> None:
        self.browse.clicked.connect(self._browse)
        self.give.clicked.connect(self._import)
        self.file.returnPressed.connect(self._import)
        self.remove.clicked.connect(self._remove)
        self.file.textChanged.connect(self._enable)
        self.outside.toggled.connect(self._enable)

    def _enable(self) -> None:
        self.give.setEnabled(bool(self.file.text().strip()) and self.outside.isChecked())

    def _import(self) -> None:
        file = Path(self.file.text().strip()).expanduser()
        outside = self.outside.isChecked()
        if not self.give.isEnabled():
            return
        setup = self._set_up.study_setup
        self._set_up.do(
            lambda _progress: setup.import_confusions(file, outside_study=outside),
            then=self._clear,
        )

    def _clear(self) -> None:
        self.file.clear()
        self.outside.setChecked(False)

    def _remove(self) -> None:
        setup = self._set_up.study_setup
        self._set_up.do(lambda _progress: setup.remove_confusions())

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Choose a file of confusions")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["CSV files (*.csv)", "All files (*)"])
        dialog.fileSelected.connect(self.file.setText)
        dialog.open()
