"""The lead's image inspector: annotated images, and one of them with everything said about it."""

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHeaderView, QWidget

from labeler.app.crowd.image_inspector import (
    ANSWER_COLUMNS,
    LABEL_COLUMNS,
    NO_MATCH,
    ImageFilter,
    ImageInspector,
    InspectedImage,
)
from labeler.app.runner import LatestRequest
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.errors import RefusedError
from labeler.ui.crowd.crowd_controller import decode_jpeg
from labeler.ui.crowd.object_groups import ObjectGroups
from labeler.ui.crowd.picture_choice_grid import CANT_BE_SHOWN
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.layout.boxes import grow, hbox, hsplit, vbox
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.kit.tables.image_list import AnsweredImageList
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.window.context import StudyContext

_SIZES = (360, 860)
_KEPT_PICTURES = 96


class InspectorPanel(QWidget):
    """A filtered list on the left; image, objects, labels and answers on the right."""

    def __init__(self, context: StudyContext) -> None:
        super().__init__()
        self._context = context
        self._inspector: ImageInspector | None = None
        self._details = LatestRequest(context.workers.database)
        self._pictures: ThumbnailLoader[int, QImage] = ThumbnailLoader(
            runner=context.workers.decoding, load=self._picture, kept=_KEPT_PICTURES
        )
        appearance = context.appearance
        self.filter = ChoiceBox(appearance, "Filter")
        self.list = AnsweredImageList(
            appearance, self._pictures, name="Annotated images", accepted_word="Target"
        )
        self.large = FittedImage(appearance, height=None, name="The inspected image")
        self.title = ElidedLabel(rank="caption")
        self.facts = label(wrap=True)
        self.objects = ObjectGroups(appearance)
        self.labels = text_table("Labels", LABEL_COLUMNS)
        self.answers = text_table("Answers", ANSWER_COLUMNS, grows=True)
        # A long list of ticked labels must not widen the window.
        self.answers.header().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.answers.header().setStretchLastSection(False)
        self._lay_out()
        self.filter.currentIndexChanged.connect(self._show_filtered)
        self.list.chosen.connect(self._show_row)
        self._pictures.listen(self._picture_loaded)
        self._pictures.listen_for_missing(self._picture_loaded)
        self.destroyed.connect(self._pictures.close)
        self.destroyed.connect(self._details.drop)

    def show_images(self, inspector: ImageInspector) -> None:
        """Show the images of another aggregation; the filter stays."""
        self._inspector = inspector
        chosen = max(self.filter.currentIndex(), 0)
        blocked = self.filter.blockSignals(True)
        self.filter.clear()
        for which, count in inspector.counts().items():
            self.filter.addItem(f"{which} ({count:,})", which)
        self.filter.setCurrentIndex(chosen)
        self.filter.blockSignals(blocked)
        self._show_filtered()

    def show_image(self, number: int) -> None:
        """Show one image, without a filter that might hide it."""
        self.filter.setCurrentIndex(0)
        self.list.show_current(number)
        self.list.setFocus()

    def _show_filtered(self) -> None:
        if self._inspector is None:
            return
        rows = self._inspector.rows(ImageFilter(self.filter.currentData()))
        self.list.show_rows(rows)
        if rows:
            self.list.show_current(0)
        else:
            self._clear()

    def _clear(self) -> None:
        self._details.drop()
        self.title.setText("")
        self.facts.setText(NO_MATCH)
        self.large.show_image(None)
        self.objects.show_objects(())
        fill_table(self.labels, ())
        fill_table(self.answers, ())

    def _show_row(self, _row: int) -> None:
        current, inspector = self.list.current, self._inspector
        if current is None or inspector is None:
            return
        self._show_large()
        self._details.run(
            "inspect annotated image",
            lambda: inspector.inspect(current.image),
            done=self._show_details,
            failed=lambda error: self.facts.setText(self._context.describe_error(error)),
        )

    def _show_details(self, details: InspectedImage) -> None:
        self.title.setText(details.title)
        self.facts.setText(details.facts)
        self.objects.show_objects(details.objects)
        fill_table(self.labels, details.labels)
        fill_table(self.answers, details.answers)

    def _picture(self, number: int) -> QImage | None:
        assert self._inspector is not None
        try:
            return decode_jpeg(self._inspector.picture(number))
        except RefusedError:
            return None

    def _picture_loaded(self, number: int) -> None:
        if self.list.current is not None and self.list.current.image == number:
            self._show_large()

    def _show_large(self) -> None:
        current = self.list.current
        if current is not None:
            missing = self._pictures.is_missing(current.image)
            picture = self._pictures.get(current.image)
            self.large.show_image(picture, instead=CANT_BE_SHOWN if missing else "")

    def _lay_out(self) -> None:
        listed, details = QWidget(), QWidget()
        vbox(self.filter, grow(self.list), on=listed, spacing=8)
        said = vbox(self.title, self.facts, self.objects, self.labels, spacing=8)
        said.addStretch(1)
        above = hbox(grow(self.large, 2), grow(said, 3), spacing=16)
        vbox(grow(above, 3), grow(self.answers, 2), on=details, spacing=12)
        split = hsplit(listed, details, sizes=_SIZES, shares=(1, 3))
        vbox(grow(split), on=self, margins=(12, 12, 12, 12))
        self.setFocusProxy(self.list)
