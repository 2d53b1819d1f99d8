"""The images of a cell or point: a list, and one of them with everyone's answers."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSplitter, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.results.results_view import ResultImageDetails, ResultImagesView
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, hbox, hsplit, vbox
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.kit.tables.image_list import AnsweredImageList
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.results.results_table import ResultsTable
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

_SIZES = (380, 560)
# In a low or very wide panel, the image has more room next to the answers than above them.
_TALL_HEIGHT, _TALL_RATIO = 420, 0.6
NO_FILE = "The file of this image is missing or can't be read."


class SourceImagesPanel(QWidget):
    """Renders the list; `enlarged` is emitted with the row to enlarge."""

    enlarged = Signal(int)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        pictures: ThumbnailLoader[int, QImage],
        details: Callable[[int], ResultImageDetails | None],
    ) -> None:
        """`details` returns the details of a row."""
        super().__init__()
        self._pictures, self._details = pictures, details
        self.heading = ElidedLabel(rank="heading")
        self.caption = label(rank="muted", wrap=True)
        self.list = AnsweredImageList(appearance, pictures, name="Images of the result")
        self.large = FittedImage(appearance, height=None, name="Image")
        self.name = ElidedLabel(rank="caption")
        self.facts = label(wrap=True)
        self.said = ResultsTable(keymap, "Answers")
        self.enlarge = KeyButton(appearance, keymap[Action.ENLARGE_BEHIND], "Enlarge")
        self.export = KeyButton(appearance, keymap[Action.EXPORT_IMAGES], "Export list…")
        self.close_it = KeyButton(appearance, keymap[Action.CLOSE_IMAGES], "Close")
        self._shown: ResultImagesView | None = None
        self._facts = ""
        self._lay_out()
        self.list.chosen.connect(self._show)
        self.list.doubleClicked.connect(self._enlarge)
        self.enlarge.clicked.connect(lambda: self._enlarge(self.list.currentIndex()))
        pictures.listen(self._picture_loaded)
        pictures.listen_for_missing(self._picture_loaded)
        keys = {Action.ENLARGE_BEHIND: lambda: self._enlarge(self.list.currentIndex())}
        bind_scope(self.list, keymap, Scope.RESULTS_IMAGES, keys)

    def render_images(self, view: ResultImagesView) -> bool:
        """Show the list and return whether it changed."""
        if view is self._shown:
            return False
        self._shown = view
        self.heading.setText(view.heading)
        self.caption.setText(view.caption)
        self.list.show_rows(view.rows)
        if view.rows:
            self.list.show_current(0)
        return True

    def _enlarge(self, index: QModelIndex) -> None:
        if index.isValid():
            self.enlarged.emit(index.row())

    def _show(self, row: int) -> None:
        details = self._details(row)
        if details is None:
            return
        self.name.setText(details.title)
        self._facts = details.facts
        self.said.show_table(details.said)
        self._show_large()

    def _show_large(self) -> None:
        current = self.list.current
        self.large.show_image(None if current is None else self._pictures.get(current.image))
        is_missing = current is not None and self._pictures.is_missing(current.image)
        self.facts.setText(f"{self._facts} {NO_FILE}" if is_missing else self._facts)

    def _picture_loaded(self, image: int) -> None:
        if self.list.current is not None and self.list.current.image == image:
            self._show_large()

    def _lay_out(self) -> None:
        self.setFocusProxy(self.list)
        head = hbox(grow(self.heading), self.enlarge, self.export, self.close_it)
        vbox(head, self.caption, grow(self._splitter()), on=self, spacing=4)

    def _splitter(self) -> QSplitter:
        words = vbox(self.name, self.facts, grow(self.said), spacing=4)
        details = _Details(self.large, words)
        return hsplit(self.list, details, sizes=_SIZES, shares=(1, 3))


class _Details(QWidget):
    """An image next to text, or above it if there is enough height."""

    def __init__(self, image: QWidget, words: QVBoxLayout) -> None:
        super().__init__()
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.setSpacing(12)
        self._both.addWidget(image, stretch=2)
        self._both.addLayout(words, stretch=3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        above = self.height() >= max(_TALL_HEIGHT, self.width() * _TALL_RATIO)
        way = QBoxLayout.Direction.TopToBottom if above else QBoxLayout.Direction.LeftToRight
        self._both.setDirection(way)
