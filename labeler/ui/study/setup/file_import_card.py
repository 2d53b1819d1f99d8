"""Importing files: choose, preview, then import all or nothing."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QVBoxLayout, QWidget

from labeler.app.exchange.file_import import FilesPreview
from labeler.app.progress import ProgressReporter
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.text import count_noun
from labeler.store.exchange.preview import FilePreview
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.file_preview import FilePreviewTable, align_right
from labeler.ui.study.setup.form import CardForm
from labeler.ui.study.setup.path_field_watcher import PathCheckTrigger, PathFieldWatcher
from labeler.ui.study.setup.prediction_import_form import PredictionImportForm
from labeler.ui.study.setup.setup_panel import push_button, row_layout, text_field
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "A folder or files in the exchange format, human_accuracy.pickle, human_accuracy_v3.0.0.json, "
    "real.json, or a model's predictions as .npy. You see a preview before anything is imported."
)
IMPORT_REFUSED = "This can't be imported. Fix the problems below, then choose the file again."
NOTHING_NEW = "Nothing to import: the study already has all of these rows."
# Separates several file names in the field.
_SEPARATOR = " ; "


class FileImportCard(QFrame):
    """Asks for files, previews them, and imports them on request."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._set_up = set_up
        self._seen: tuple[Path, ...] = ()
        self.place = text_field("Folder or files", placeholder="Choose files, or drop them here")
        # Otherwise the URL of a dropped file would be inserted as text.
        self.place.setAcceptDrops(False)
        self._typed = PathFieldWatcher(self.place)
        self.browse_folder = push_button("&Folder…", "Browse for a folder to import")
        self.browse_files = push_button("Fi&les…", "Browse for files to import")
        self.kind = label(rank="number", wrap=True)
        self.found = label(wrap=True)
        self.refused = ErrorBanner(appearance)
        self.faults = text_table("Problems", ("File", "Line", "Column", "Problem"))
        self.files = text_table("Files and rows", ("File", "Rows", "New", "Already there", ""))
        self.shown = FilePreviewTable()
        self.take = push_button("&Import")
        self.preview = QWidget()
        self.scores = PredictionImportForm(appearance, set_up)
        self._lay_out()
        self._connect()
        self._forget()

    def preview_paths(self, paths: Sequence[Path], *, asked_from: QWidget | None = None) -> None:
        """Preview the files without importing anything."""
        self._typed.check_requested_by(asked_from)
        self.place.setText(_SEPARATOR.join(map(str, paths)))
        self._preview(tuple(paths))

    def _preview(self, paths: tuple[Path, ...], *, typing: bool = False) -> None:
        """Preview the files; a missing one isn't reported while its path is being typed."""
        self._forget()

        def see(progress: ProgressReporter) -> FilesPreview | Path | None:
            if typing and not all(path.exists() for path in paths):
                return None
            return self._set_up.study_setup.files.see(paths, progress)

        self._set_up.preview(see, done=lambda seen: self._show_or_ask(paths, seen), by=self)

    def _check_typed_path(self, moment: PathCheckTrigger) -> None:
        names = self.place.text().split(_SEPARATOR.strip())
        paths = tuple(Path(name.strip()).expanduser() for name in names if name.strip())
        if paths:
            self._preview(paths, typing=moment is PathCheckTrigger.PAUSE)

    def _show_or_ask(self, paths: tuple[Path, ...], seen: FilesPreview | Path | None) -> None:
        if seen is None:
            self._typed.is_not_there()
        elif isinstance(seen, FilesPreview):
            self._show(paths, seen)
        else:
            self.scores.show()
            self.scores.ask(seen)
            self._typed.move_focus_to(self.scores.model)

    def _show(self, paths: tuple[Path, ...], seen: FilesPreview) -> None:
        preview = seen.preview
        self._seen = paths
        nothing_new = (NOTHING_NEW,) if not preview.faults and not preview.added else ()
        self.kind.setText(seen.kind)
        self.found.setText("\n".join((*seen.about, *nothing_new)))
        self.found.setVisible(bool(self.found.text()))
        self.refused.say(IMPORT_REFUSED if preview.faults else "")
        fill_table(
            self.faults,
            [_fault_text(one.file, one.line, one.column, one.problem) for one in preview.faults],
        )
        self.faults.setVisible(bool(preview.faults))
        fill_table(self.files, [_row(file) for file in preview.files])
        align_right(self.files, columns=(1, 2, 3))
        self.files.setVisible(not preview.faults)
        self.shown.show_files(preview.files)
        self.take.setText(f"&Import {count_noun(preview.added, 'row')}")
        self.take.setEnabled(not preview.faults and preview.added > 0)
        self.take.setVisible(not preview.faults)
        self.preview.show()
        if self.take.isEnabled():
            self._typed.move_focus_to(self.take)

    def _forget(self) -> None:
        """Clear the preview."""
        self._set_up.cancel_preview(self)
        self._seen = ()
        self.take.setEnabled(False)
        self.preview.hide()
        self.scores.hide()

    def _take(self) -> None:
        paths = self._seen
        self._set_up.do(
            lambda progress: self._set_up.study_setup.files.take(paths, progress),
            atomic=True,
            what="The import",
            then=self._reset,
        )

    def _reset(self) -> None:
        self.place.clear()
        self._forget()

    def _choose(self, mode: QFileDialog.FileMode, browse: QWidget) -> None:
        dialog = QFileDialog(self, "Choose what to import")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(mode)
        dialog.filesSelected.connect(
            lambda chosen: self.preview_paths([Path(each) for each in chosen], asked_from=browse)
        )
        dialog.open()

    def _connect(self) -> None:
        mode = QFileDialog.FileMode
        self.browse_folder.clicked.connect(lambda: self._choose(mode.Directory, self.browse_folder))
        self.browse_files.clicked.connect(
            lambda: self._choose(mode.ExistingFiles, self.browse_files)
        )
        self._typed.wanted.connect(self._check_typed_path)
        self.place.textEdited.connect(lambda _text: self._forget())
        self.files.currentItemChanged.connect(
            lambda item, _before: self.shown.choose(self.files.indexOfTopLevelItem(item))
        )
        self.take.clicked.connect(self._take)
        self.scores.taken.connect(self._reset)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(label("Import", rank="heading"))
        layout.addWidget(label(_ABOUT, rank="muted", wrap=True))
        asked = QWidget()
        form = CardForm(asked)
        form.setContentsMargins(0, 0, 0, 0)
        form.add("From", row_layout(self.place, self.browse_folder, self.browse_files))
        layout.addWidget(asked)
        inside = vbox(
            self.kind,
            self.found,
            self.refused,
            self.faults,
            self.files,
            on=self.preview,
            spacing=12,
        )
        # The button is above the details, so that it needs no scrolling.
        inside.addLayout(row_layout(self.take, stretch=False))
        inside.addWidget(self.shown)
        layout.addWidget(self.preview)
        layout.addWidget(self.scores)


def _row(file: FilePreview) -> tuple[str, ...]:
    if file.would is None:
        return file.file, "–", "–", "–"
    counts = (file.would.read, file.would.added, file.would.skipped)
    return file.file, *(f"{count:,}" for count in counts)


def _fault_text(
    file: object, line: int | None, column: str | None, problem: str
) -> tuple[str, ...]:
    name = Path(str(file)).name
    return name, "" if line is None else f"{line:,}", column or "", problem
