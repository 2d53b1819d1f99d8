"""The dialog to join a study on a PostgreSQL server: its address, a folder, and its images."""

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

from labeler.app.study.joining import (
    JoinRequest,
    SharedStudy,
    proposed_join_folder,
)
from labeler.app.study.start import ADDRESS_NEEDED, FOLDER_NEEDED, studies_folder
from labeler.core.study.entities import Dataset
from labeler.core.text import count_noun
from labeler.images.pack_file import PACK_SUFFIX
from labeler.ui.kit.input.file_field import open_file_dialog
from labeler.ui.kit.layout.boxes import hbox, stretch
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner, ErrorBannerSpace
from labeler.ui.kit.text.labels import label
from labeler.ui.study.dialog_fields import field_with_button, text_field
from labeler.ui.study.setup.form import HintLabel, with_hint
from labeler.ui.window.theme import Appearance

_WIDTH = 640
_REFUSAL_LINES = 2
_ADDRESS = "Ask the study's lead for it. The password comes from ~/.pgpass or PGPASSWORD."
_FOLDER = "A new folder on this computer. Answers are stored on the server."
_PACK = (
    "Labelers, reviewers and annotators need the file that the lead gave you. With it, no folders "
    "of images are needed."
)
_MISSING = "Not found on this computer. Choose the folder with its {}, or set it later."
CONNECTING = "Connecting to the server…"
JOINING = "Looking for the images…"


class JoinStudyDialog(QDialog):
    """Asks for the address first, then shows the datasets and where their images are looked for.

    It stays open until the study is joined, so that no entries are lost.
    """

    look_wanted = Signal(str)
    wanted = Signal(JoinRequest)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Join a shared study")
        self.setMinimumWidth(_WIDTH)
        self.address = text_field("Address of the database")
        self.address.setPlaceholderText("postgresql://user@host/database")
        self.folder = text_field("Study folder")
        self.pack = text_field("Pack")
        self.pack.setPlaceholderText("The lead may leave this empty")
        self.images: dict[str, QLineEdit] = {}
        self.title = label("Join a shared study", rank="title")
        self.error_banner = ErrorBanner(appearance)
        self.working = ErrorBanner(appearance, BannerKind.WAITING)
        self._study: SharedStudy | None = None
        self._lay_out(appearance)
        self.address.textEdited.connect(self._change_address)
        self.pack.textChanged.connect(self._show_datasets)
        for field in (self.address, self.folder, self.pack):
            field.textChanged.connect(lambda: self.error_banner.say(""))
        self.address.setFocus()

    def proceed(self) -> None:
        """Connect to the server, or join the study once it is shown."""
        address = self.address.text().strip()
        if not address:
            self.refuse(ADDRESS_NEEDED, self.address)
        elif self._study is None:
            self._show_working(CONNECTING)
            self.look_wanted.emit(address)
        elif not self.folder.text().strip():
            self.refuse(FOLDER_NEEDED, self.folder)
        else:
            self._show_working(JOINING)
            self.wanted.emit(self._request(address))

    def show_study(self, study: SharedStudy) -> None:
        """Show the study at the address and its datasets."""
        self._show_working("")
        self._study = study
        self.title.setText(f"Join “{study.name}”")
        self.folder.setText(
            str(proposed_join_folder(self.address.text().strip(), inside=studies_folder()))
        )
        for row in (self._folder_row, self._pack_row):
            self._form.setRowVisible(row, True)
        for dataset in study.datasets:
            self._add_dataset(dataset, is_missing=dataset in study.missing)
        self.do.setText("Join study")
        self._grow()
        self.pack.setFocus()

    def refuse(self, sentence: str, field: QLineEdit | None = None) -> None:
        """Show why the study can't be joined."""
        self._show_working("")
        self.error_banner.say(sentence)
        self._grow()
        (field or self.do).setFocus()

    def reject(self) -> None:
        """Close the dialog, unless it waits for the server or a disk."""
        if not self.working.sentence:
            super().reject()

    def _request(self, address: str) -> JoinRequest:
        datasets = () if self._study is None else self._study.datasets
        pack = self.pack.text().strip()
        needed = () if pack else datasets
        given = {one.name: self.images[one.name].text().strip() for one in needed if one.root}
        return JoinRequest(
            address=address,
            folder=Path(self.folder.text().strip()).expanduser(),
            images={
                one.name: Path(given[one.name]).expanduser()
                for one in datasets
                if given.get(one.name) and given[one.name] != one.root
            },
            pack=Path(pack).expanduser() if pack else None,
        )

    def _change_address(self) -> None:
        """Forget the study at the previous address."""
        if self._study is None:
            return
        self._study = None
        self.title.setText("Join a shared study")
        self._hide_later_rows()
        for field in self.images.values():
            self._form.removeRow(self._rows.pop(field))
        self.images.clear()
        self.do.setText("Connect")

    def _add_dataset(self, dataset: Dataset, *, is_missing: bool) -> None:
        if not dataset.root:
            return
        field = text_field(f"Folder of {dataset.name}", dataset.root)
        field.textChanged.connect(lambda: self.error_banner.say(""))
        images = count_noun(dataset.images, "image")
        hint = _MISSING.format(images) if is_missing else f"{images}, found on this computer."
        row = QWidget()
        layout = QVBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(
            field_with_button(
                field, f"Browse for {dataset.name}", lambda: self._browse(dataset.name)
            )
        )
        layout.addWidget(HintLabel(hint, rank="notice" if is_missing else "caption"))
        self._form.addRow(dataset.name, row)
        self.images[dataset.name] = field
        self._rows[field] = row

    def _show_datasets(self) -> None:
        """Show the folders of images unless they come from a pack."""
        for field in self.images.values():
            self._form.setRowVisible(self._rows[field], not self.pack.text().strip())

    def _browse_pack(self) -> None:
        chosen = open_file_dialog(self, "Choose pack", names=f"Pack (*{PACK_SUFFIX})")
        chosen.fileSelected.connect(self.pack.setText)
        chosen.open()

    def _browse(self, dataset: str) -> None:
        chosen = QFileDialog(self, f"Choose the folder of {dataset}")
        chosen.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen.setFileMode(QFileDialog.FileMode.Directory)
        chosen.setOption(QFileDialog.Option.ShowDirsOnly)
        chosen.fileSelected.connect(self.images[dataset].setText)
        chosen.open()

    def _browse_folder(self) -> None:
        chosen = QFileDialog(self, "Choose a location for the study")
        chosen.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen.setFileMode(QFileDialog.FileMode.Directory)
        chosen.setOption(QFileDialog.Option.ShowDirsOnly)
        chosen.fileSelected.connect(self._put_inside)
        chosen.open()

    def _put_inside(self, place: str) -> None:
        address = self.address.text().strip()
        self.folder.setText(str(proposed_join_folder(address, inside=Path(place))))

    def _show_working(self, sentence: str) -> None:
        """Disable the form while the program waits for the server or a disk."""
        self.error_banner.say("")
        self.working.say(sentence)
        for part in (self._fields, self.cancel, self.do):
            part.setEnabled(not sentence)

    def _grow(self) -> None:
        """Enlarge the dialog for what was added instead of squeezing the form."""
        self._layout.activate()
        needed = self._layout.totalHeightForWidth(self.width())
        self.resize(self.width(), max(self.height(), needed))

    def _lay_out(self, appearance: Appearance) -> None:
        self._fields = QWidget()
        self._form = _form(self._fields)
        self._rows: dict[QLineEdit, QWidget] = {}
        self._form.addRow("Address", with_hint(self.address, HintLabel(_ADDRESS)))
        folder = field_with_button(self.folder, "Browse for the folder", self._browse_folder)
        self._folder_row = with_hint(folder, HintLabel(_FOLDER))
        self._form.addRow("Folder", self._folder_row)
        pack = field_with_button(self.pack, "Browse for the pack", self._browse_pack)
        self._pack_row = with_hint(pack, HintLabel(_PACK))
        self._form.addRow("Pack", self._pack_row)
        self._hide_later_rows()
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(self.title)
        layout.addWidget(self._fields)
        layout.addWidget(
            ErrorBannerSpace(appearance, self.error_banner, self.working, lines=_REFUSAL_LINES)
        )
        layout.addStretch()
        layout.addLayout(self._footer())

    def _hide_later_rows(self) -> None:
        """Hide what is asked once the study is known."""
        for row in (self._folder_row, self._pack_row):
            self._form.setRowVisible(row, False)

    def _footer(self) -> QHBoxLayout:
        self.cancel, self.do = QPushButton("Cancel"), QPushButton("Connect")
        self.cancel.setAutoDefault(False)
        self.do.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self.do.clicked.connect(self.proceed)
        return hbox(stretch(), self.cancel, self.do)


def _form(on: QWidget) -> QFormLayout:
    form = QFormLayout(on)
    form.setContentsMargins(0, 0, 0, 0)
    form.setVerticalSpacing(12)
    form.setHorizontalSpacing(16)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    return form
