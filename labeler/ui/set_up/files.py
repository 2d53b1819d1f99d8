"""Files in and out: the exchange format, and other people's."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from labeler.app.files_out import ExportFormat
from labeler.app.presenters.set_up import SetUp
from labeler.app.setting_up.facts import SetUpFacts
from labeler.ui.look import Look
from labeler.ui.set_up.panel import SetUpPanel, button, in_a_row
from labeler.ui.widgets.labels import label

_ABOUT = (
    "A folder of the exchange format, or a file of another group: human_accuracy.pickle, "
    "human_accuracy_v3.0.0.json, real.json. It comes in whole or not at all."
)
_OUT = (
    "The study as CSV files that any program reads. Whoever reads them reads the targets: don't "
    "give them to a labeler."
)


class FilesPanel(SetUpPanel):
    """Asks for a folder or a file and leaves the rest to the presenter."""

    def __init__(self, look: Look, set_up: SetUp) -> None:
        super().__init__(look, set_up, title="Files in and out", about=_ABOUT)
        self.import_folder = button("Import a &folder…")
        self.import_file = button("Import a f&ile…")
        self.export = button("&Export to a folder…")
        self.column.addLayout(in_a_row(self.import_folder, self.import_file, stretch=False))
        self.column.addWidget(label(_OUT, rank="muted", wrap=True))
        self.column.addLayout(in_a_row(self.export, stretch=False))
        self.import_folder.clicked.connect(lambda: self._ask(self.take, folder=True))
        self.import_file.clicked.connect(lambda: self._ask(self.take, folder=False))
        self.export.clicked.connect(lambda: self._ask(self.give, folder=True))

    def render_facts(self, facts: SetUpFacts) -> None:
        """Files don't depend on how far the study is."""

    def take(self, source: Path) -> None:
        self._set_up.do(lambda progress: self._set_up.desk.files.take([source], progress))

    def give(self, folder: Path) -> None:
        self._set_up.do(
            lambda progress: self._set_up.desk.files.give(
                folder, ExportFormat.EXCHANGE, names=False, progress=progress
            )
        )

    def _ask(self, then: Callable[[Path], None], *, folder: bool) -> None:
        dialog = QFileDialog(self, "Files in and out")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mode = QFileDialog.FileMode
        dialog.setFileMode(mode.Directory if folder else mode.ExistingFile)
        dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
        dialog.open()
