"""Class names in other languages: the current ones, and adding more from files."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QFrame

from labeler.app.classes.translated_names import LanguageNames
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.ui.study.file_drop import FileDropMixin
from labeler.ui.study.setup.form import CardForm, HintLabel, with_hint
from labeler.ui.study.setup.setup_panel import push_button, row_layout, text_field

_ABOUT = (
    "Searches also find these names, but English names are displayed. Choose tab files of the Open "
    "Multilingual Wordnet, or CSV files with the columns wnid and name."
)
ENGLISH_ONLY = "English only."
# Separates file names, in which it is rare.
_SEPARATOR = " ; "


def named_text(summary: str) -> str:
    return f"Names for {summary}."


class TranslatedNamesCard(FileDropMixin, QFrame):
    """Adds names from files, after a confirmation if a language is already there."""

    replace_wanted = Signal(tuple)

    def __init__(self, set_up: SetupPresenter) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._set_up = set_up
        self._chosen: tuple[Path, ...] = ()
        self.held = HintLabel(rank="body")
        self.files = text_field("Files of names", placeholder="Choose files, or drop them here")
        # Otherwise the URL of a dropped file would be inserted as text.
        self.files.setAcceptDrops(False)
        self.browse = push_button("Browse…", "Browse for files of names")
        self.give = push_button("&Add names")
        self.setAcceptDrops(True)
        form = CardForm(self)
        form.add("Other languages", self.held)
        form.add("", with_hint(row_layout(self.files, self.browse), HintLabel(_ABOUT)))
        form.add("", row_layout(self.give, stretch=False))
        self.browse.clicked.connect(self._browse)
        self.give.clicked.connect(self._preview)
        self.files.returnPressed.connect(self._preview)
        self.files.textChanged.connect(lambda text: self.give.setEnabled(bool(text.strip())))
        self.give.setEnabled(False)

    def render_facts(self, facts: SetupFacts) -> None:
        named = ", ".join(one.summary for one in facts.made.languages)
        self.held.setText(named_text(named) if named else ENGLISH_ONLY)

    def take(self, files: Sequence[Path]) -> None:
        """Put these files into the field."""
        self.files.setText(_SEPARATOR.join(map(str, files)))

    def replace(self) -> None:
        """Replace the current names, after the confirmation."""
        self._give(replace=True)

    def handle_dropped_files(self, paths: list[Path]) -> None:
        self.take(paths)

    def _preview(self) -> None:
        names = self.files.text().split(_SEPARATOR.strip())
        files = tuple(Path(name.strip()).expanduser() for name in names if name.strip())
        self._chosen = files
        if files:
            self._set_up.watch(
                lambda _progress: self._set_up.study_setup.see_names(files), done=self._seen
            )

    def _seen(self, seen: tuple[LanguageNames, ...]) -> None:
        if any(one.before for one in seen):
            self.replace_wanted.emit(seen)
        else:
            self._give(replace=False)

    def _give(self, *, replace: bool) -> None:
        files = self._chosen
        self._set_up.do(
            lambda _progress: self._set_up.study_setup.add_names(files, replace=replace),
            then=self.files.clear,
        )

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Choose files of names")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(["Names (*.tab *.csv)", "All files (*)"])
        dialog.filesSelected.connect(lambda files: self.take([Path(file) for file in files]))
        dialog.open()
