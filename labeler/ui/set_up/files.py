"""Files in and out: the exchange format, and other people's."""

from pathlib import Path

from labeler.app.presenters.set_up import SetUp
from labeler.app.setting_up.facts import SetUpFacts
from labeler.core.study import DatasetRole
from labeler.ui.look import Look
from labeler.ui.set_up.files_in import FilesInCard
from labeler.ui.set_up.files_out import FilesOutCard
from labeler.ui.set_up.panel import SetUpPanel
from labeler.ui.widgets.dropped_files import TakesDroppedFiles

_ABOUT = (
    "Answers, labels and judgements come in from other studies and programs, and go out to them. "
    "Folders of images are added under Images to classify."
)


class FilesPanel(TakesDroppedFiles, SetUpPanel):
    """What is dropped on the step is looked at; a folder dropped on what goes out, written to."""

    def __init__(self, look: Look, set_up: SetUp) -> None:
        super().__init__(look, set_up, title="Files in and out", about=_ABOUT)
        self.coming_in = FilesInCard(look, set_up)
        self.going_out = FilesOutCard(look, set_up)
        self.column.addWidget(self.coming_in)
        self.column.addWidget(self.going_out)
        self.setAcceptDrops(True)

    def render_facts(self, facts: SetUpFacts) -> None:
        """Of all files only a model's predictions need to know what is there."""
        datasets = [d for d in facts.datasets if d.role is DatasetRole.EVALUATION and d.complete]
        self.coming_in.scores.offer([dataset.name for dataset in datasets])

    def take_dropped(self, paths: list[Path]) -> None:
        self.coming_in.look_at(paths)
