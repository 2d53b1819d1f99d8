"""Adding images to classify, to train on, or for reference."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from labeler.app.datasets.folder_preview import FolderPreview
from labeler.app.datasets.import_request import REFERENCES_PER_CLASS, DatasetRequest
from labeler.app.datasets.relocation import RelocationPreview
from labeler.app.progress import ProgressReporter
from labeler.app.study.setup.datasets import DATASET_HEADINGS, SetupDatasetRow, dataset_rows
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.study.entities import DatasetRole
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.layout.flow_layout import clear_layout
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.text_dialogs import TextListDialog
from labeler.ui.study.file_drop import FileDropMixin
from labeler.ui.study.setup.dataset_actions import RESUME_IMPORT, DatasetActions, TargetPreview
from labeler.ui.study.setup.file_preview import align_right
from labeler.ui.study.setup.form import HintLabel, form_card
from labeler.ui.study.setup.path_field_watcher import PathCheckTrigger, PathFieldWatcher
from labeler.ui.study.setup.setup_panel import (
    SetupPanel,
    integer_field,
    push_button,
    row_layout,
    text_field,
)
from labeler.ui.window.theme import Appearance

_TITLES = {
    DatasetRole.EVALUATION: "Images to classify",
    DatasetRole.REFERENCE: "Reference images",
    DatasetRole.TRAINING: "Images to train on",
}
_ABOUT = {
    DatasetRole.EVALUATION: "Images with their targets, the classes they are meant to show. Choose "
    "a folder with a subfolder for each class, named as in ImageNet (n02361337) or ImageNetV2 "
    "(0…999), a folder of files named by class (n02361337_1.JPEG) or with a labels file, or a CSV "
    "file that lists images. Files aren't copied.",
    DatasetRole.REFERENCE: "Images that show people what a class looks like, drawn from a training "
    "folder. Don't use images to classify.",
    DatasetRole.TRAINING: "Images for labelers to practise on. They are never used in the "
    "evaluation.",
}
_NAMES = {
    DatasetRole.EVALUATION: "",
    DatasetRole.REFERENCE: "references",
    DatasetRole.TRAINING: "training",
}
MAX_IMAGES_PER_CLASS = 100_000
IMPORT_CANCELLED = (
    f"Cancelled. What was read so far is kept. To continue, choose “{RESUME_IMPORT}” below the "
    "list."
)
_SKIPPED_FILES = "This is the state at the time of the import. Later fixes aren't shown."


class ImagesPanel(FileDropMixin, SetupPanel):
    """Previews a folder with a few images before it is added."""

    remove_wanted = Signal(str)
    part_found = Signal(str, Path, RelocationPreview)

    def __init__(self, appearance: Appearance, set_up: SetupPresenter, role: DatasetRole) -> None:
        super().__init__(appearance, set_up, title=_TITLES[role], about=_ABOUT[role])
        self._role = role
        self._taken: frozenset[str] = frozenset()
        self._name_is_own = False
        self._start_folder: Path | None = None
        self._rows: dict[str, SetupDatasetRow] = {}
        self._seen: FolderPreview | None = None
        self.datasets = text_table("Datasets", DATASET_HEADINGS)
        self.folder = text_field("Folder", placeholder="Choose a folder, or drop it here")
        # Otherwise the URL of a dropped folder would be inserted as text.
        self.folder.setAcceptDrops(False)
        self._typed_folder = PathFieldWatcher(self.folder)
        self.browse = push_button("Browse…", "Browse for the folder")
        self.browse_file = push_button("CSV file…", "Browse for a CSV file that lists images")
        self.name = text_field("Name of the dataset", placeholder="Name in the study")
        drawn = REFERENCES_PER_CLASS if role is DatasetRole.REFERENCE else 0
        # The minimum means all images; references are always drawn.
        none = "" if drawn else "all"
        self.per_class = integer_field(
            "Images per class",
            least=int(bool(drawn)),
            most=MAX_IMAGES_PER_CLASS,
            value=drawn,
            none=none,
        )
        self.more = CheckBox(appearance, "More options")
        self.labels = text_field("Labels file", placeholder="Default: labels.csv in the folder")
        self._typed_labels = PathFieldWatcher(self.labels)
        self.browse_labels = push_button("Browse…", "Browse for the labels file")
        self.apply_exif = CheckBox(appearance, "Rotate images according to their EXIF data")
        self.dataset_actions = DatasetActions()
        self.found = HintLabel(rank="muted")
        self.pictures = QWidget()
        self._row = QHBoxLayout(self.pictures)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self.add = push_button("&Add images")
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()

    def render_facts(self, facts: SetupFacts) -> None:
        self._taken = frozenset(d.name for d in facts.datasets if d.complete)
        known = {row.name for row in self._rows.values() if row.interrupted}
        self._rows = {row.name: row for row in dataset_rows(facts, self._role)}
        fill_table(self.datasets, [row.cells for row in self._rows.values()])
        align_right(self.datasets, columns=(1,))
        interrupted = [row.name for row in self._rows.values() if row.interrupted]
        new = [name for name in interrupted if name not in known]
        # An import that was just interrupted is selected, so that it can be resumed.
        if new or (interrupted and self._chosen() is None):
            self.select((new or interrupted)[0])
        roots = [Path(d.root) for d in facts.datasets if d.root]
        if self._start_folder is None and roots:
            self._start_folder = roots[-1].parent
        for part in (self.datasets, self.dataset_actions):
            part.setVisible(bool(self._rows))
        self._see_dataset()

    def select(self, name: str) -> None:
        """Select the dataset's row, if there is one."""
        for item in self.datasets.findItems(name, Qt.MatchFlag.MatchExactly):
            self.datasets.setCurrentItem(item)
            self.ensure_visible_wanted.emit(self.datasets)

    def preview_path(self, path: Path, *, asked_from: QWidget | None = None) -> None:
        """Preview how the folder or file would be read."""
        self._typed_folder.check_requested_by(asked_from)
        self.folder.setText(str(path))
        self._preview_again()

    def wants(self, paths: list[Path]) -> bool:
        return len(paths) == 1

    def handle_dropped_files(self, paths: list[Path]) -> None:
        self.preview_path(paths[0])

    def _proposed(self, path: Path) -> str:
        name = _NAMES[self._role] or path.stem
        numbered = (f"{name}-{each}" for each in count(2))
        return next(each for each in chain([name], numbered) if each not in self._taken)

    def _reset(self) -> None:
        """Clear the form for the next folder."""
        for part in (self.folder, self.name, self.labels):
            part.clear()
        self._name_is_own = False
        self._clear_findings()
        if self.isVisible():
            self.folder.setFocus()

    def _request(self) -> DatasetRequest:
        labels = self.labels.text().strip()
        return DatasetRequest(
            name=self.name.text().strip(),
            path=self._path(),
            role=self._role,
            per_class=self.per_class.value() or None,
            labels=Path(labels).expanduser() if labels else None,
            apply_exif=self.apply_exif.isChecked(),
        )

    def _path(self) -> Path:
        return Path(self.folder.text().strip()).expanduser()

    def _preview_again(self, *, typing: PathFieldWatcher | None = None) -> None:
        """Preview again; a missing path isn't reported while it is being typed."""
        request = self._request()
        # A path that is being typed may be too long for the file system.
        with suppress(OSError):
            if request.path.parent.is_dir():
                self._start_folder = request.path.parent
        self._clear_findings()

        def see(progress: ProgressReporter) -> FolderPreview | None:
            if typing is not None and not all(path.exists() for path in request.paths):
                return None
            return self._set_up.study_setup.see_folder(request, progress)

        def show(seen: FolderPreview | None) -> None:
            if seen is not None:
                self._show_found(seen)
            elif typing is not None:
                typing.is_not_there()

        self._set_up.preview(see, done=show, by=self)

    def _check_typed_path(self, typed: PathFieldWatcher, moment: PathCheckTrigger) -> None:
        if self.folder.text().strip():
            self._preview_again(typing=typed if moment is PathCheckTrigger.PAUSE else None)

    def _propose_name(self) -> None:
        """Propose a name, unless the person entered one."""
        if not self.name.text() or not self._name_is_own or self.name.text() in self._taken:
            self.name.setText(self._proposed(self._path()))
            self._name_is_own = False

    def _clear_findings(self) -> None:
        self._set_up.cancel_preview(self)
        self._seen = None
        for part in (self.found, self.pictures):
            self._form.setRowVisible(part, False)
        clear_layout(self._row)
        self.add.setEnabled(False)
        self.set_waiting(False)

    def _show_found(self, seen: FolderPreview) -> None:
        self._propose_name()
        self._seen = seen
        self._show_findings()
        clear_layout(self._row)
        for target, jpeg in seen.pictures:
            self._row.addWidget(TargetPreview(target, jpeg))
        self._row.addStretch()
        for part in (self.found, self.pictures):
            self._form.setRowVisible(part, True)
        self.add.setEnabled(True)
        self.set_waiting(True)
        for typed in (self._typed_folder, self._typed_labels):
            typed.move_focus_to(self.add)

    def _show_findings(self) -> None:
        if self._seen is not None:
            self.found.setText(self._seen.summary(self.per_class.value() or None))

    def _add(self) -> None:
        request = self._request()
        self._set_up.do(
            lambda progress: self._set_up.study_setup.add_dataset(request, progress),
            what=f"Adding {request.name}",
            halted=IMPORT_CANCELLED,
            then=self._reset,
        )

    def _see_dataset(self) -> None:
        """Update the actions for the selected dataset."""
        self.dataset_actions.render_row(self._chosen())

    def _chosen(self) -> SetupDatasetRow | None:
        """Return the selected row; a row that only has the focus doesn't count."""
        marked = self.datasets.selectedItems()
        return self._rows.get(marked[0].text(0)) if marked else None

    def _request_skipped_files(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._set_up.watch(
                lambda _progress: self._set_up.study_setup.odd_files(chosen.name),
                done=partial(self._show_skipped_files, chosen),
            )

    def _show_skipped_files(self, of: SetupDatasetRow, text: str) -> None:
        heading = f"Skipped files of {of.name}"
        TextListDialog(self, heading=heading, about=f"{of.odd}. {_SKIPPED_FILES}", text=text).open()

    def _request_resume(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            return
        if not chosen.listed:
            self._resume(chosen.name)
            return
        self._choose(
            QFileDialog.FileMode.ExistingFile,
            lambda file: self._resume(chosen.name, file),
            title=listing_title(chosen.name),
        )

    def _resume(self, name: str, listed_by: Path | None = None) -> None:
        def forget_same() -> None:
            if self.name.text().strip() == name:
                self._reset()

        self._set_up.do(
            lambda progress: self._set_up.study_setup.resume_import(
                name, listed_by=listed_by, progress=progress
            ),
            what=f"Adding {name}",
            halted=IMPORT_CANCELLED,
            then=forget_same,
        )

    def relocate(self, name: str, folder: Path, *, partly: bool) -> None:
        """Set the dataset's new folder; with `partly` the person confirmed missing files."""
        self._set_up.do(
            lambda progress: self._set_up.study_setup.relocate(
                name, folder, partly=partly, progress=progress
            ),
            atomic=True,
        )

    def _request_relocation(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._choose(
                QFileDialog.FileMode.Directory,
                lambda folder: self._search_files(chosen.name, folder),
                title=f"Locate the moved folder of {chosen.name}",
            )

    def _search_files(self, name: str, folder: Path) -> None:
        """Look for the files first, so that a wrong folder doesn't leave people without images."""

        def decide(there: RelocationPreview) -> None:
            if there.complete:
                self.relocate(name, folder, partly=False)
            else:
                self.part_found.emit(name, folder, there)

        self._set_up.watch(
            lambda progress: self._set_up.study_setup.see_place(name, folder, progress),
            done=decide,
            atomic=True,
        )

    def _request_removal(self) -> None:
        """Report why the dataset can't be removed, or ask for confirmation."""
        chosen = self._chosen()
        if chosen is not None:
            self._set_up.watch(
                lambda _progress: self._set_up.study_setup.require_removable(chosen.name),
                done=lambda _removable: self.remove_wanted.emit(chosen.name),
            )

    def remove_dataset(self, name: str) -> None:
        """Remove the dataset, after the confirmation."""
        self._set_up.do(lambda _progress: self._set_up.study_setup.remove_dataset(name))

    def _take_labels(self, file: Path) -> None:
        self._typed_labels.check_requested_by(self.browse_labels)
        self.labels.setText(str(file))
        if self.folder.text().strip():
            self._preview_again()

    def _show_more(self, shown: bool) -> None:
        for row in (self._labels_row, self.apply_exif):
            self._form.setRowVisible(row, shown)

    def _connect(self) -> None:
        folder, file = QFileDialog.FileMode.Directory, QFileDialog.FileMode.ExistingFile
        for browse, mode in ((self.browse, folder), (self.browse_file, file)):
            chosen = partial(self.preview_path, asked_from=browse)
            browse.clicked.connect(lambda _on=False, m=mode, then=chosen: self._choose(m, then))
        self.browse_labels.clicked.connect(lambda: self._choose(file, self._take_labels))
        self.dataset_actions.odd.clicked.connect(self._request_skipped_files)
        self.dataset_actions.resume.clicked.connect(self._request_resume)
        self.dataset_actions.moved.clicked.connect(self._request_relocation)
        self.dataset_actions.remove.clicked.connect(self._request_removal)
        self.datasets.itemSelectionChanged.connect(self._see_dataset)
        for typed, path in ((self._typed_folder, self.folder), (self._typed_labels, self.labels)):
            typed.wanted.connect(partial(self._check_typed_path, typed))
            path.textEdited.connect(lambda _text: self._clear_findings())
        self.name.textEdited.connect(lambda _text: self._own_name())
        self.per_class.valueChanged.connect(lambda _value: self._show_findings())
        self.more.toggled.connect(self._show_more)
        self.add.clicked.connect(self._add)

    def _own_name(self) -> None:
        self._name_is_own = True

    def _choose(
        self, mode: QFileDialog.FileMode, then: Callable[[Path], None], *, title: str = ""
    ) -> None:
        dialog = QFileDialog(self, title or _TITLES[self._role])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(mode)
        dialog.setDirectory(str(self._start_folder or _pictures_folder()))
        if mode is QFileDialog.FileMode.Directory:
            dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
        dialog.open()

    def _lay_out(self) -> None:
        frame, form = form_card()
        self._form = form
        form.add("Folder", row_layout(self.folder, self.browse, self.browse_file))
        form.add("Name", self.name)
        form.add("Per class", row_layout(self.per_class, stretch=False))
        form.add("", self.more)
        self._labels_row = row_layout(self.labels, self.browse_labels)
        form.add("Labels", self._labels_row)
        form.add("", self.apply_exif)
        self._show_more(False)
        # What comes and goes is below the button, and the list below the form, so that neither
        # moves.
        form.add("", row_layout(self.add, stretch=False))
        form.add("", self.found)
        form.add("", self.pictures)
        self._clear_findings()
        self.column.addWidget(frame)
        self.column.addWidget(self.datasets)
        self.column.addWidget(self.dataset_actions)


def listing_title(dataset: str) -> str:
    return f"Choose the CSV file that lists {dataset}"


def _pictures_folder() -> Path:
    """Return the person's pictures folder, or their home folder."""
    pictures = QStandardPaths.StandardLocation.PicturesLocation
    usual = Path(QStandardPaths.writableLocation(pictures))
    return usual if usual.is_dir() else Path.home()
