"""Asks for what a new study needs: a name, a folder, its lead."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from labeler.app.presenters.start import NewStudy, proposed_folder, why_not
from labeler.ui.look import Look
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.told import Told

_WIDTH = 560


class NewStudyDialog(QDialog):
    """A short form; it closes when what it asks for is sound."""

    wanted = Signal(NewStudy)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("New study")
        self.setMinimumWidth(_WIDTH)
        self.name = _field("Name of the study")
        self.folder = _field("Folder of the study")
        self.code = _field("Your code as its lead", "L")
        self.passphrase = _field("Passphrase of the lead's role, if wanted", secret=True)
        self.again = _field("The passphrase again", secret=True)
        self.told = Told(look)
        self._folder_is_proposed = True
        self._lay_out()
        self._connect()
        self._propose_folder()
        self.name.setFocus()

    def make(self) -> None:
        """Pass on what was entered, or say what is wrong with it."""
        asked = NewStudy(
            name=self.name.text().strip(),
            folder=Path(self.folder.text().strip()).expanduser(),
            lead_code=self.code.text().strip(),
            passphrase=self.passphrase.text(),
        )
        refusal = why_not(asked, passphrase_again=self.again.text())
        self.told.say(refusal or "")
        if refusal is None:
            self.accept()
            self.wanted.emit(asked)

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setVerticalSpacing(12)
        self._form.setHorizontalSpacing(16)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
        self._form.addRow("Name", self.name)
        self._form.addRow("Folder", self._folder_row())
        self._form.addRow("Your code", self.code)
        self._form.addRow("", _caption("You sign in with it as the lead. It isn't your name."))
        self._form.addRow("Passphrase", self.passphrase)
        self._form.addRow("Again", self.again)
        self._form.addRow("", _caption("Optional: keeps others out of the lead's role."))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(24, 24, 24, 16)
        whole.setSpacing(16)
        whole.addWidget(label("New study", rank="title"))
        whole.addLayout(self._form)
        whole.addWidget(self.told)
        whole.addStretch()
        whole.addLayout(self._foot())
        self._form.setRowVisible(self.again, False)

    def _folder_row(self) -> QHBoxLayout:
        browse = QPushButton("Browse…")
        browse.setAutoDefault(False)
        browse.setAccessibleName("Browse for the folder")
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.folder, stretch=1)
        row.addWidget(browse)
        return row

    def _foot(self) -> QHBoxLayout:
        cancel, make = QPushButton("Cancel"), QPushButton("Make the study")
        cancel.setAutoDefault(False)
        make.setDefault(True)
        cancel.clicked.connect(self.reject)
        make.clicked.connect(self.make)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch()
        row.addWidget(cancel)
        row.addWidget(make)
        return row

    def _connect(self) -> None:
        self.name.textEdited.connect(self._propose_folder)
        self.folder.textEdited.connect(self._take_folder)
        self.passphrase.textChanged.connect(
            lambda text: self._form.setRowVisible(self.again, bool(text))
        )

    def _propose_folder(self) -> None:
        if self._folder_is_proposed:
            documents = QStandardPaths.StandardLocation.DocumentsLocation
            inside = Path(QStandardPaths.writableLocation(documents)) / "labeler"
            self.folder.setText(str(proposed_folder(self.name.text(), inside=inside)))

    def _take_folder(self) -> None:
        self._folder_is_proposed = False

    def _browse(self) -> None:
        chosen = QFileDialog(self, "Where the study's folder is to lie")
        chosen.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen.setFileMode(QFileDialog.FileMode.Directory)
        chosen.fileSelected.connect(self._put_inside)
        chosen.open()

    def _put_inside(self, folder: str) -> None:
        self._take_folder()
        self.folder.setText(str(proposed_folder(self.name.text(), inside=Path(folder))))


def _field(name: str, text: str = "", *, secret: bool = False) -> QLineEdit:
    field = QLineEdit(text)
    field.setAccessibleName(name)
    if secret:
        field.setEchoMode(QLineEdit.EchoMode.Password)
    return field


def _caption(text: str) -> QLabel:
    return label(text, rank="caption", wrap=True)
