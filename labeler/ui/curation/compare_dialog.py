"""Two revisions compared in pictures: what was added, and what was removed and why."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog, QScrollArea, QWidget

from labeler.app.curation.revision_history import RevisionReader
from labeler.app.curation.workspace import WorkspaceView
from labeler.app.runner import LatestRequest
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.curation.revisions import RevisionChange
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun
from labeler.ui.curation.captioned_grid import CaptionedGrid, TileCaption
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.kit.text.text_dialogs import close_button_row
from labeler.ui.window.context import StudyContext

_SIZE = QSize(960, 680)
_TILE_HEIGHT, _COLUMNS, _MOST = 150, 5, 500


class CompareDialog(QDialog):
    """Shows the images that two revisions don't share."""

    def __init__(
        self,
        context: StudyContext,
        parent: QWidget,
        view: WorkspaceView,
        pictures: ThumbnailLoader[ImageKey, QImage],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Compare revisions of {view.built}")
        self.resize(_SIZE)
        self._context, self._built, self._pictures = context, view.built, pictures
        self._request = LatestRequest(context.workers.database)
        self._keys: dict[CaptionedGrid, list[ImageKey]] = {}
        numbers = [str(each.revision) for each in view.revisions]
        self.one, self.other = self._box("Revision", numbers), self._box("With", numbers)
        self.one.setCurrentIndex(len(numbers) - 2)
        self.other.setCurrentIndex(len(numbers) - 1)
        self.summary = label(wrap=True)
        self.added, self.removed = self._grid("Added"), self._grid("Removed")
        self._lay_out()
        pictures.listen(self._picture_came)
        self.finished.connect(self._stop)
        self.read()

    def _stop(self) -> None:
        """Drop what arrives after the dialog is closed."""
        self._request.drop()
        self._pictures.stop_listening(self._picture_came)

    def _box(self, name: str, numbers: list[str]) -> ChoiceBox:
        made = ChoiceBox(self._context.appearance, name)
        made.addItems(numbers)
        made.activated.connect(lambda _index: self.read())
        return made

    def _grid(self, name: str) -> CaptionedGrid:
        made = CaptionedGrid(
            self._context.appearance, lambda at: self._picture(made, at), name=name
        )
        self._keys[made] = []
        return made

    def _lay_out(self) -> None:
        inside = QWidget()
        vbox(
            label("Added", rank="heading"),
            self.added,
            label("Removed", rank="heading"),
            self.removed,
            stretch(1),
            on=inside,
        )
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        choice = hbox(
            label("Revision"), self.one, label("with"), self.other, self.summary, stretch(1)
        )
        margins = (24, 24, 24, 16)
        vbox(choice, grow(scroll), close_button_row(self), on=self, spacing=16, margins=margins)

    def read(self) -> None:
        """Compare the chosen revisions."""
        store, built = self._context.study.store, self._built
        one, other = int(self.one.currentText()), int(self.other.currentText())

        def work() -> RevisionChange:
            with store.read() as study:
                return RevisionReader(study, built).compare(one, other)

        self._request.run("compare revisions", work, done=self.show_change, failed=self._fail)

    def _fail(self, error: Exception) -> None:
        self.summary.setText(self._context.describe_error(error))

    def show_change(self, change: RevisionChange) -> None:
        self.summary.setText(
            f"{count_noun(len(change.kept), 'image')} kept, {len(change.added):,} added, "
            f"{len(change.removed):,} removed"
        )
        self._show(self.added, dict.fromkeys(change.added, ""))
        removed = {k: str(r or "").replace("_", " ") for k, r in change.removed.items()}
        self._show(self.removed, removed)

    def _show(self, grid: CaptionedGrid, marks: dict[ImageKey, str]) -> None:
        keys = list(marks)[:_MOST]
        self._keys[grid] = keys
        rows = -(-len(keys) // _COLUMNS)
        grid.setFixedHeight(rows * _TILE_HEIGHT + 24 if keys else 0)
        grid.show_captions(())
        grid.show_captions([TileCaption(mark=marks[key]) for key in keys])
        self._pictures.request(keys)

    def _picture(self, grid: CaptionedGrid, position: int) -> QImage | None:
        keys = self._keys[grid]
        return self._pictures.get(keys[position - 1]) if position <= len(keys) else None

    def _picture_came(self, key: ImageKey) -> None:
        for grid, keys in self._keys.items():
            if key in keys:
                grid.update_image(keys.index(key) + 1)
