"""Exporting the study as files: format, folder, and what the format leaves out."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QVBoxLayout, QWidget

from labeler.app.exchange.export_formats import (
    EXCHANGE_EXPORTS,
    EXPORT_TITLES,
    ExportFormat,
    format_omissions,
)
from labeler.app.exchange.file_export import ExportPreview
from labeler.app.study.setup.confirmations import overwrite_confirmation
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.text import count_noun
from labeler.store.exchange.summary import FileExport
from labeler.ui.kit.input.form_fields import CheckBox, ChoiceBox
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.confirm_dialog import ask_to_confirm
from labeler.ui.kit.text.labels import label
from labeler.ui.study.file_drop import FileDropMixin, is_one_folder
from labeler.ui.study.setup.file_preview import align_right
from labeler.ui.study.setup.form import CardForm, HintLabel
from labeler.ui.study.setup.path_field_watcher import PathFieldWatcher
from labeler.ui.study.setup.setup_panel import push_button, row_layout, text_field
from labeler.ui.window.theme import Appearance

_NO_FOLDER = "Choose a folder to preview the files."
TABLES_ONLY = "One file for each table of the report, in a folder named “tables”."
REPLACES_FILE = "replaces existing file"


class FileExportCard(FileDropMixin, QFrame):
    """Previews the files before writing them."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._appearance, self._set_up = appearance, set_up
        self._replaced: tuple[str, ...] = ()
        self.format = ChoiceBox(appearance, "Format")
        for wanted, text in EXPORT_TITLES.items():
            self.format.addItem(text, wanted)
        self.names = CheckBox(appearance, "Include people's names")
        self.folder = text_field("Folder to write to", placeholder="Choose or enter a folder")
        # Otherwise the URL of a dropped folder would be inserted as text.
        self.folder.setAcceptDrops(False)
        self._typed = PathFieldWatcher(self.folder)
        self.setAcceptDrops(True)
        self.browse = push_button("&Browse…", "Browse for the folder to write to")
        self.omitted = HintLabel(rank="muted")
        self.counts = HintLabel(rank="caption")
        self.files = text_table("Files to be written", ("File", "Rows", ""))
        self.give = push_button("&Export")
        self._lay_out()
        self._connect()
        self._render_format()

    @property
    def wanted(self) -> ExportFormat:
        return ExportFormat(self.format.currentData())

    def preview_folder(self, folder: Path, *, asked_from: QWidget | None = None) -> None:
        """Preview an export to the folder."""
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
        self.counts.setText(export_summary(seen))
        self.give.setEnabled(True)
        self._typed.move_focus_to(self.give)

    def _forget(self) -> None:
        self._set_up.cancel_preview(self)
        self._replaced = ()
        self.files.hide()
        self.counts.setText(_NO_FOLDER)
        self.give.setEnabled(False)

    def _request_export(self) -> None:
        """Export, after a confirmation if files would be replaced."""
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
        names = self.names.isChecked() and wanted in EXCHANGE_EXPORTS
        if folder is not None:
            self._set_up.do(
                lambda progress: self._set_up.study_setup.files.give(
                    folder, wanted, names=names, progress=progress
                ),
                atomic=True,
                what="The export",
                then=self._reset,
            )

    def _reset(self) -> None:
        self.folder.clear()
        self._forget()

    def _folder(self) -> Path | None:
        text = self.folder.text().strip()
        return Path(text).expanduser() if text else None

    def _render_format(self) -> None:
        self._form.setRowVisible(self.names, self.wanted in EXCHANGE_EXPORTS)
        self.omitted.setText("\n".join(format_omissions(self.wanted)))
        self._forget()

    def _choose_format(self) -> None:
        self._render_format()
        self._preview_again()

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Choose a folder to export to")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(
            lambda chosen: self.preview_folder(Path(chosen), asked_from=self.browse)
        )
        dialog.open()

    def _connect(self) -> None:
        self.format.activated.connect(lambda _place: self._choose_format())
        self.browse.clicked.connect(self._browse)
        # A missing folder is created, so any path can be previewed.
        self._typed.wanted.connect(lambda _moment: self._preview_again())
        self.folder.textEdited.connect(lambda _text: self._forget())
        self.give.clicked.connect(self._request_export)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(label("Export", rank="heading"))
        asked = QWidget()
        form = self._form = CardForm(asked)
        form.setContentsMargins(0, 0, 0, 0)
        form.add("Format", row_layout(self.format, stretch=False))
        form.add("Folder", row_layout(self.folder, self.browse))
        form.add("", self.names)
        form.add("", self.omitted)
        # The button is above the file list, so that it needs no scrolling, and the summary is
        # next to it, so that it doesn't move.
        button_row = hbox(self.give, grow(self.counts), spacing=12)
        form.add("", button_row)
        layout.addWidget(asked)
        layout.addWidget(self.files)


def _row(file: FileExport, replaced: frozenset[str]) -> tuple[str, ...]:
    rows = "" if file.rows is None else f"{file.rows:,}"
    return file.file, rows, REPLACES_FILE if file.file in replaced else ""


def export_summary(seen: ExportPreview) -> str:
    if not seen.files:
        return TABLES_ONLY
    rows = sum(file.rows or 0 for file in seen.files)
    replaced = f", {len(seen.replaced):,} of them replacing existing ones" if seen.replaced else ""
    return f"{count_noun(len(seen.files), 'file')} with {count_noun(rows, 'row')}{replaced}."
