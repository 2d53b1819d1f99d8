"""One image of a result, as large as the window, with everyone's answers."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QWidget

from labeler.app.keymap import Keymap
from labeler.app.results.results_view import ResultImageDetails
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.kit.text.text_dialogs import close_button_row
from labeler.ui.results.results_table import ResultsTable
from labeler.ui.window.theme import Appearance

_WINDOW_SHARE = 0.9
_TEXT_WIDTH = 420


class EnlargedImageDialog(QDialog):
    """Left and Right or the wheel show other images; Esc closes."""

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        parent: QWidget,
        *,
        pictures: ThumbnailLoader[int, QImage],
        numbers: tuple[int, ...],
        details: Callable[[int], ResultImageDetails | None],
    ) -> None:
        """`numbers` are the images of the rows."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Image")
        self.resize(parent.window().size() * _WINDOW_SHARE)
        self._pictures, self._numbers, self._details = pictures, numbers, details
        self._row = 0
        self.place = label(rank="muted")
        self.title = ElidedLabel(rank="heading")
        self.image = FittedImage(appearance, height=None, name="Image")
        self.facts = label(wrap=True)
        self.said = ResultsTable(keymap, "Answers")
        self._lay_out()
        pictures.listen(self._picture_loaded)
        self.finished.connect(lambda _code: pictures.stop_listening(self._picture_loaded))

    @property
    def row(self) -> int:
        return self._row

    def show_row(self, row: int) -> None:
        """Show another image; rows out of range are ignored."""
        if not 0 <= row < len(self._numbers) or (details := self._details(row)) is None:
            return
        self._row = row
        self.title.setText(details.title)
        self.facts.setText(details.facts)
        self.said.show_table(details.said)
        self.place.setText(f"{row + 1:,} of {len(self._numbers):,}   ← →")
        self.image.show_image(self._pictures.get(self._numbers[row]))
        self._pictures.request(self._numbers[row : row + 2])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if steps is not None:
            self.show_row(self._row + steps)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        if event.angleDelta().y():
            self.show_row(self._row + (-1 if event.angleDelta().y() > 0 else 1))

    def _picture_loaded(self, number: int) -> None:
        if self._numbers[self._row] == number:
            self.image.show_image(self._pictures.get(number))

    def _lay_out(self) -> None:
        # The dialog handles the arrow keys, so nothing in it takes the focus.
        self.said.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.said.setMinimumWidth(_TEXT_WIDTH)
        head = QHBoxLayout()
        head.addWidget(self.title, stretch=1)
        head.addWidget(self.place)
        side = vbox(self.facts, grow(self.said))
        body = hbox(grow(self.image, 3), grow(side, 2), spacing=16)
        vbox(
            head, grow(body), close_button_row(self), on=self, spacing=16, margins=(24, 16, 24, 16)
        )
