"""The images behind a number: the current one large, all of them in a list below."""

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStackedWidget, QWidget

from labeler.app.chart_views import PictureRow, TrainingImagesView
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.ui.kit.layout.boxes import grow, vbox
from labeler.ui.kit.pictures.fitted_image import UNREADABLE_MESSAGE, FittedImage
from labeler.ui.kit.tables.image_list import AnsweredImageList
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.window.theme import Appearance

_LARGE = 184


class AnsweredImages(QWidget):
    """Shows the images behind the selected number."""

    def __init__(self, appearance: Appearance, pictures: ThumbnailLoader[int, QImage]) -> None:
        super().__init__()
        self._pictures = pictures
        self.heading = ElidedLabel(rank="heading")
        self._count = label(rank="muted")
        self.large = FittedImage(appearance, height=_LARGE, name="The image")
        self.list = AnsweredImageList(appearance, pictures, name="Answered images")
        self._message = EmptyState(appearance)
        self._stack = QStackedWidget()
        self._lay_out()
        self.list.chosen.connect(self._show_large)
        pictures.listen(self._picture_loaded)
        pictures.listen_for_missing(self._picture_loaded)

    @property
    def current(self) -> PictureRow | None:
        return self.list.current

    @property
    def sentence(self) -> str:
        """The text shown instead of images; empty if there are images."""
        return "" if self._stack.currentIndex() == 0 else self._message.sentence

    def render_images(self, view: TrainingImagesView) -> None:
        self.list.show_rows(view.rows)
        self.heading.setText(view.heading)
        answers = "answer" if len(view.rows) == 1 else "answers"
        self._count.setText(f"{len(view.rows):,} {answers}" if view.rows else "")
        self._message.say(view.sentence, icon="pictures")
        self._stack.setCurrentIndex(0 if view.rows else 1)
        if view.rows:
            self.list.show_current(0)

    def _show_large(self) -> None:
        row = self.current
        is_missing = row is not None and self._pictures.is_missing(row.image)
        self.large.show_image(
            None if row is None else self._pictures.get(row.image),
            instead=UNREADABLE_MESSAGE if is_missing else "",
        )
        self.large.setAccessibleDescription("" if row is None else f"{row.answer}: {row.word}")

    def _picture_loaded(self, image: int) -> None:
        if self.current is not None and self.current.image == image:
            self._show_large()

    def _lay_out(self) -> None:
        images = QWidget()
        vbox(self.heading, self._count, self.large, grow(self.list), on=images)
        self._stack.addWidget(images)
        self._stack.addWidget(self._message)
        vbox(self._stack, on=self)
