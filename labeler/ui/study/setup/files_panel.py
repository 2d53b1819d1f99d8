"""Importing and exporting files, in the exchange format or another program's."""

from pathlib import Path

from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.study.entities import DatasetRole
from labeler.ui.study.file_drop import FileDropMixin
from labeler.ui.study.setup.file_export_card import FileExportCard
from labeler.ui.study.setup.file_import_card import FileImportCard
from labeler.ui.study.setup.setup_panel import SetupPanel
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "Exchange answers, labels and verdicts with other studies and programs. To add folders of "
    "images, go to Images to classify."
)


class FilesPanel(FileDropMixin, SetupPanel):
    """Previews dropped files; a folder dropped on the export card becomes its target."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, title="Files in and out", about=_ABOUT)
        self.coming_in = FileImportCard(appearance, set_up)
        self.going_out = FileExportCard(appearance, set_up)
        self.column.addWidget(self.coming_in)
        self.column.addWidget(self.going_out)
        self.setAcceptDrops(True)

    def render_facts(self, facts: SetupFacts) -> None:
        """Offer the datasets to the form for predictions."""
        datasets = [d for d in facts.datasets if d.role is DatasetRole.EVALUATION and d.complete]
        self.coming_in.scores.offer([dataset.name for dataset in datasets])

    def handle_dropped_files(self, paths: list[Path]) -> None:
        self.coming_in.preview_paths(paths)
