"""Files in and out: the exchange format, and other people's."""

from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDropEvent

from labeler.app.presenters.set_up import SetUp
from labeler.app.setting_up.facts import SetUpFacts
from labeler.ui.look import Look
from labeler.ui.set_up.files_in import FilesInCard
from labeler.ui.set_up.files_out import FilesOutCard
from labeler.ui.set_up.panel import SetUpPanel

_ABOUT = (
    "Answers, labels and judgements come in from other studies and programs, and go out to them. "
    "Folders of images are added under Images to classify."
)


class FilesPanel(SetUpPanel):
    """What is dropped anywhere on the step is looked at."""

    def __init__(self, look: Look, set_up: SetUp) -> None:
        super().__init__(look, set_up, title="Files in and out", about=_ABOUT)
        self.coming_in = FilesInCard(look, set_up)
        self.going_out = FilesOutCard(look, set_up)
        self.column.addWidget(self.coming_in)
        self.column.addWidget(self.going_out)
        self.setAcceptDrops(True)

    def render_facts(self, facts: SetUpFacts) -> None:
        """Files don't depend on how far the study is."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = _dropped(event)
        if paths:
            event.acceptProposedAction()
            self.coming_in.look_at(paths)


def _dropped(event: QDropEvent) -> list[Path]:
    """The files and folders on this machine that were dropped; none where anything else was."""
    urls = event.mimeData().urls()
    paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return paths if len(paths) == len(urls) and all(path.exists() for path in paths) else []
