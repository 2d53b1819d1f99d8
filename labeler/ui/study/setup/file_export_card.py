"""The study on its way out as files: as what, where to, and what that leaves behind."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QVBoxLayout, QWidget

from labeler.app.exchange.file_export import ExportFormat, ExportPreview, format_omissions
from labeler.app.study.setup.confirmations import overwrite_confirmation
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.text import count_noun
from labeler.store.exchange.summary import FileExport
from labeler.ui.kit.input.form_fields import CheckBox, ChoiceBox
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.text.confirm_dialog import ask_to_confirm
from labeler.ui.kit.text.labels import label
from labeler.ui.study.file_drop import FileDropMixin, is_one_folder
from labeler.ui.study.setup.file_preview import align_right
from labeler.ui.study.setup.form import CardForm, HintLabel
from labeler.ui.study.setup.path_field_watcher import PathFieldWatcher
from labeler.ui.study.setup.setup_panel import (
    fill_table,
    push_button,
    row_layout,
    text_field,
    text_table,
)
from labeler.ui.window.theme import Appearance

_WORDS = {
    ExportFormat.EXCHANGE: "Exchange format: all answers and judgements as CSV",
    ExportFormat.MODEL_VS_HUMAN: "model-vs-human: trials of people and models",
    ExportFormat.TIMM_RESULTS: "timm's results: accuracies of the models",
    ExportFormat.LATEX: "LaTeX: the report's tables (booktabs)",
}
assert set(_WORDS) == set(ExportFormat)
_NO_FOLDER = "Choose a folder first; you see what would be written."


class FileExportCard(FileDropMixin, QFrame):
    """Says what would be written before it is."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._appearance, self._set_up = appearance, set_up
        self._replaced: tuple[str, ...] = ()
        self.format = ChoiceBox(appearance, "Format")
        for wanted, words in _WORDS.items():
            self.format.addItem(words, wanted)
        self.names = CheckBox(appearance, "With people's names")
        self.folder = text_field(
            "Folder to write to", placeholder="Choose a folder; a new one is made"
        )
        # What is dropped on it would become its text.
        self.folder.setAcceptDrops(False)
        self._typed = PathFieldWatcher(self.folder)
        self.setAcceptDrops(True)
        self.browse = push_button("&Browse…", "Browse for the folder to write to")
        self.omitted = HintLabel(rank="muted")
        self.counts = HintLabel(rank="caption")
        self.files = text_table("Files that would be written", ("File", "Rows", ""))
        self.give = push_button("&Write the files")
        self._lay_out()
        self._connect()
        self._render_format()

    @property
    def wanted(self) -> ExportFormat:
        return ExportFormat(self.format.currentData())

    def preview_folder(self, folder: Path, *, asked_from: QWidget | None = None) -> None:
        """See what would be written there."""
        self._typed.check_requested_by(asked_from)
        self.folder.setText(str(folder))
        self._preview_again()

    def wants(self, paths: list[Path]) -> bool:
        return is_one_folder(paths)

    def handle_dropped_files(self, paths: list[Path]) -> None:
        self.preview_folder(paths[0])

    def _preview_again(self) -> None:
        self._forget()
        folder, wanted = self._folder(), self.wanted
        if folder is not None:
            self._set_up.preview(
                lambda progress: self._set_up.study_setup.files.see_export(
                    folder, wanted, progress
                ),
                done=self._show,
                by=self,
            )

    def _show(self, seen: ExportPreview) -> None:
        replaced = frozenset(seen.replaced)
        fill_table(self.files, [_row(file, replaced) for file in seen.files])
        align_right(self.files, columns=(1,))
        self.files.setVisible(bool(seen.files))
        self._replaced = seen.replaced
        self.counts.setText(_export_summary(seen))
        self.give.setEnabled(True)
        self._typed.move_focus_to(self.give)

    def _forget(self) -> None:
        self._set_up.cancel_preview(self)
        self._replaced = ()
        self.files.hide()
        self.counts.setText(_NO_FOLDER)
        self.give.setEnabled(False)

    def _request_export(self) -> None:
        """Replacing files is asked about first."""
        folder = self._folder()
        if folder is not None and self._replaced:
            ask_to_confirm(
                self._appearance,
                self,
                overwrite_confirmation(folder, self._replaced),
                then=self._give,
            )
        else:
            self._give()

    def _give(self) -> None:
        folder, wanted = self._folder(), self.wanted
        names = self.names.isChecked() and wanted is ExportFormat.EXCHANGE
        if folder is not None:
            self._set_up.do(
                lambda progress: self._set_up.study_setup.files.give(
                    folder, wanted, names=names, progress=progress
                ),
                atomic=True,
                what="Writing the files",
                then=self._reset,
            )

    def _reset(self) -> None:
        self.folder.clear()
        self._forget()

    def _folder(self) -> Path | None:
        text = self.folder.text().strip()
        return Path(text).expanduser() if text else None

    def _render_format(self) -> None:
        self._form.setRowVisible(self.names, self.wanted is ExportFormat.EXCHANGE)
        self.omitted.setText("\n".join(format_omissions(self.wanted)))
        self._forget()

    def _choose_format(self) -> None:
        self._render_format()
        self._preview_again()

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Where to write the files")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(
            lambda chosen: self.preview_folder(Path(chosen), asked_from=self.browse)
        )
        dialog.open()

    def _connect(self) -> None:
        self.format.activated.connect(lambda _place: self._choose_format())
        self.browse.clicked.connect(self._browse)
        # A folder that isn't there yet is made: whatever is typed can be looked at.
        self._typed.wanted.connect(lambda _moment: self._preview_again())
        self.folder.textEdited.connect(lambda _text: self._forget())
        self.give.clicked.connect(self._request_export)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(label("Out of the study", rank="heading"))
        asked = QWidget()
        form = self._form = CardForm(asked)
        form.setContentsMargins(0, 0, 0, 0)
        form.add("As", row_layout(self.format, stretch=False))
        form.add("To", row_layout(self.folder, self.browse))
        form.add("", self.names)
        form.add("", self.omitted)
        # The deed is above the details, so that no one scrolls for it, and what it would do
        # next to it, so that it stays where it is.
        button_row = hbox(self.give, grow(self.counts), spacing=12)
        form.add("", button_row)
        layout.addWidget(asked)
        layout.addWidget(self.files)


def _row(file: FileExport, replaced: frozenset[str]) -> tuple[str, ...]:
    rows = "" if file.rows is None else f"{file.rows:,}"
    return file.file, rows, "replaces the one there" if file.file in replaced else ""


def _export_summary(seen: ExportPreview) -> str:
    if not seen.files:
        return "A file for each table of the report, in a folder called tables."
    rows = sum(file.rows or 0 for file in seen.files)
    replaced = count_noun(len(seen.replaced), "takes the place of one", "take the place of those")
    instead = f" {replaced} there." if seen.replaced else ""
    written = count_noun(len(seen.files), "file")
    return f"{written} with {count_noun(rows, 'row')} would be written.{instead}"
