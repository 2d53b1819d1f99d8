"""The dialog for a new study: name, folder, classes, and lead."""

import os
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from labeler.app.study.start import (
    NewStudyField,
    NewStudyForm,
    NewStudyProblem,
    new_study_problem,
    proposed_folder,
    studies_folder,
)
from labeler.ui.kit.input.form_fields import CheckBox, ChoiceBox
from labeler.ui.kit.layout.boxes import hbox, stretch
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner, ErrorBannerSpace
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.study.dialog_fields import field_with_button, text_field
from labeler.ui.study.setup.form import with_hint
from labeler.ui.window.theme import Appearance

_WIDTH = 640
# Enough for most errors; only a long path needs more.
_REFUSAL_LINES = 2
_IMAGENET = "ImageNet's 1,000 classes"
_OTHER = "Other classes from a taxonomy file"
_IN_FOLDER = "In the study's folder"
_ON_SERVER = "On a PostgreSQL server, shared by several computers"
SERVER_HINT = "An empty database. The password comes from ~/.pgpass or PGPASSWORD."
# Separates file names, in which it is rare.
_SEPARATOR = "; "
FOLDER_HINT = "Stores the answers. Images stay where they are."
_NAMES = (
    "Optional: class names in other languages, to be found in searches.\n"
    "You can add more later, but you can't change the classes."
)
_NAMES_FILES = (
    "Tab files of the Open Multilingual Wordnet, or CSV files with the columns wnid and name"
)
_CODE = "You sign in with this code as lead. Don't use your name."
_PASSPHRASE = "Optional: prevents others from signing in as lead."
CREATING = "Creating the study…"


class NewStudyDialog(QDialog):
    """A short form that stays open until the study is created, so that no entries are lost."""

    wanted = Signal(NewStudyForm)

    def __init__(self, appearance: Appearance, parent: QWidget, *, name: str = "") -> None:
        """The `name` is the proposed one."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("New study")
        self.setMinimumWidth(_WIDTH)
        self.name = text_field("Name of the study", name)
        self.folder = text_field("Study folder")
        self.classes = ChoiceBox(appearance, "Classes")
        self.classes.addItems([_IMAGENET, _OTHER])
        self.taxonomy = text_field("Taxonomy file")
        self.taxonomy.setPlaceholderText("JSON file")
        self.names = text_field("Names in other languages")
        self.names.setPlaceholderText("English only")
        self.names.setToolTip(_NAMES_FILES)
        self.database = ChoiceBox(appearance, "Answers")
        self.database.addItems([_IN_FOLDER, _ON_SERVER])
        self.server = text_field("Address of the database")
        self.server.setPlaceholderText("postgresql://user@host/database")
        self.asks = CheckBox(appearance, "Ask labelers how sure they are of each answer")
        self.code = text_field("Your code as lead", "L")
        self.passphrase = text_field("Lead passphrase (optional)", secret=True)
        self.again = text_field("Confirm passphrase", secret=True)
        self.error_banner = ErrorBanner(appearance)
        self.making = ErrorBanner(appearance, BannerKind.WAITING)
        self.where = ElidedLabel(rank="caption")
        self._appearance = appearance
        self._folder_is_proposed = True
        self._lay_out()
        self._connect()
        self._propose_folder()
        self.name.setFocus()
        # Selected, so that typing replaces the proposed name.
        self.name.selectAll()

    def make(self) -> None:
        """Submit the form, or show what is wrong with it."""
        asked = NewStudyForm(
            name=self.name.text().strip(),
            folder=Path(self.folder.text().strip()).expanduser(),
            lead_code=self.code.text().strip(),
            passphrase=self.passphrase.text(),
            taxonomy=self._taxonomy_file(),
            names=tuple(Path(name.strip()).expanduser() for name in self._names()),
            asks_confidence=self.asks.isChecked(),
            server=self.server.text().strip() if self._is_on_server else None,
        )
        problem = new_study_problem(asked, passphrase_again=self.again.text())
        if problem is not None:
            self.refuse(problem)
        else:
            self._show_making(CREATING)
            self.wanted.emit(asked)

    def refuse(self, problem: NewStudyProblem) -> None:
        """Show why the study can't be created, and focus the field at fault."""
        self._show_making("")
        self.error_banner.say(problem.sentence)
        self._grow()
        if problem.about is None:
            self.do.setFocus()
        else:
            field = self._field_of(problem.about)
            field.setFocus()
            field.selectAll()

    def reject(self) -> None:
        """Close the dialog, unless the study is being created."""
        if not self.making.sentence:
            super().reject()

    def browse(self) -> None:
        """Choose the location of the study's folder, starting near the proposed one."""
        chosen = QFileDialog(self, "Choose a location for the study")
        chosen.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen.setFileMode(QFileDialog.FileMode.Directory)
        chosen.setOption(QFileDialog.Option.ShowDirsOnly)
        chosen.setDirectory(str(self._nearest_folder()))
        chosen.fileSelected.connect(self._take_place)
        chosen.open()

    def _show_making(self, sentence: str) -> None:
        """Disable the form while the study is being created."""
        self.error_banner.say("")
        self.making.say(sentence)
        self._fields.setEnabled(not sentence)
        for button in (self.cancel, self.do):
            button.setEnabled(not sentence)

    def _grow(self) -> None:
        """Enlarge the dialog for a long message instead of squeezing the form."""
        self._layout.activate()
        needed = self._layout.totalHeightForWidth(self.width())
        self.resize(self.width(), max(self.height(), needed))

    def _field_of(self, part: NewStudyField) -> QLineEdit:
        fields = {
            NewStudyField.NAME: self.name,
            NewStudyField.FOLDER: self.folder,
            NewStudyField.TAXONOMY: self.taxonomy,
            NewStudyField.NAMES: self.names,
            NewStudyField.SERVER: self.server,
            NewStudyField.CODE: self.code,
            NewStudyField.PASSPHRASE: self.again if self.passphrase.text() else self.passphrase,
        }
        assert set(fields) == set(NewStudyField), "every part has a field"
        return fields[part]

    def _taxonomy_file(self) -> Path | None:
        if self.classes.currentText() == _IMAGENET:
            return None
        return Path(self.taxonomy.text().strip()).expanduser()

    @property
    def _is_on_server(self) -> bool:
        return bool(self.database.currentText() == _ON_SERVER)

    def _names(self) -> list[str]:
        return [name for name in self.names.text().split(_SEPARATOR) if name.strip()]

    def _lay_out(self) -> None:
        self._fields = QWidget()
        self._form = QFormLayout(self._fields)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(12)
        self._form.setHorizontalSpacing(16)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
        self._form.addRow("Name", self.name)
        folder = field_with_button(self.folder, "Browse for the folder", self.browse)
        self._form.addRow("Folder", with_hint(folder, self.where))
        self._form.addRow("Classes", self.classes)
        self._taxonomy_row = field_with_button(
            self.taxonomy, "Browse for the taxonomy file", self._browse_taxonomy
        )
        self._form.addRow("", self._taxonomy_row)
        names = field_with_button(self.names, "Browse for files of names", self._browse_names)
        self._form.addRow("Translations", with_hint(names, label(_NAMES, rank="caption")))
        self._form.addRow("Answers", self.database)
        self._server_row = with_hint(self.server, label(SERVER_HINT, rank="caption"))
        self._form.addRow("", self._server_row)
        self._form.addRow("Questions", self.asks)
        self._form.addRow("Your code", with_hint(self.code, label(_CODE, rank="caption")))
        optional = label(_PASSPHRASE, rank="caption")
        self._form.addRow("Passphrase", with_hint(self.passphrase, optional))
        self._form.addRow("Confirm", self.again)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(label("New study", rank="title"))
        layout.addWidget(self._fields)
        layout.addWidget(
            ErrorBannerSpace(self._appearance, self.error_banner, self.making, lines=_REFUSAL_LINES)
        )
        layout.addStretch()
        layout.addLayout(self._footer())
        self._form.setRowVisible(self.again, False)
        self._form.setRowVisible(self._taxonomy_row, False)
        self._form.setRowVisible(self._server_row, False)

    def _footer(self) -> QHBoxLayout:
        self.cancel, self.do = QPushButton("Cancel"), QPushButton("Create study")
        self.cancel.setAutoDefault(False)
        self.do.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self.do.clicked.connect(self.make)
        return hbox(stretch(), self.cancel, self.do)

    def _connect(self) -> None:
        self.name.textEdited.connect(self._propose_folder)
        self.folder.textEdited.connect(self._take_folder)
        self.classes.currentTextChanged.connect(
            lambda chosen: self._form.setRowVisible(self._taxonomy_row, chosen == _OTHER)
        )
        self.database.currentTextChanged.connect(
            lambda: self._form.setRowVisible(self._server_row, self._is_on_server)
        )
        self.passphrase.textChanged.connect(
            lambda text: self._form.setRowVisible(self.again, bool(text))
        )
        # The message refers to the previous entries.
        for choice in (self.classes, self.database):
            choice.currentTextChanged.connect(lambda: self.error_banner.say(""))
        for field in self.findChildren(QLineEdit):
            field.textChanged.connect(lambda: self.error_banner.say(""))

    def _propose_folder(self) -> None:
        if self._folder_is_proposed:
            self._put_inside(studies_folder())

    def _take_folder(self) -> None:
        self._folder_is_proposed = False
        self.where.setText(FOLDER_HINT)

    def _nearest_folder(self) -> Path:
        """Return the closest existing parent of the entered folder."""
        entered = Path(self.folder.text().strip()).expanduser()
        return next((one for one in entered.parents if os.access(one, os.R_OK)), Path.home())

    def _take_place(self, folder: str) -> None:
        self._folder_is_proposed = False
        self._put_inside(Path(folder))

    def _put_inside(self, place: Path) -> None:
        proposal = proposed_folder(self.name.text(), inside=place)
        self.folder.setText(str(proposal.folder))
        self.where.setText(proposal.taken or FOLDER_HINT)

    def _browse_taxonomy(self) -> None:
        chosen = self._file_dialog("Choose a taxonomy file", "Taxonomies (*.json)")
        chosen.fileSelected.connect(self.taxonomy.setText)
        chosen.open()

    def _browse_names(self) -> None:
        chosen = self._file_dialog("Choose files of names", "Names (*.tab *.csv)")
        chosen.setFileMode(QFileDialog.FileMode.ExistingFiles)
        chosen.filesSelected.connect(lambda files: self.names.setText(_SEPARATOR.join(files)))
        chosen.open()

    def _file_dialog(self, title: str, kinds: str) -> QFileDialog:
        dialog = QFileDialog(self, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([kinds, "All files (*)"])
        return dialog
