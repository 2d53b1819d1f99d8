"""The current one of the labeler's own answers: its image, large, and what was answered."""

from collections.abc import Iterator

from PySide6.QtCore import QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.keymap import Action, Keymap
from labeler.app.labeling.my_answers import AnswerTile
from labeler.app.tile_loader import TileLoader
from labeler.ui.classes.result_pictures import PICTURE_GAP, draw_cropped
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.layout.boxes import grow, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.labeling.answer_grid import PREVIEW_WIDTH
from labeler.ui.window.theme import Appearance

_HEIGHT, _COLUMNS = 240, 3
OPEN_TEXT = "Open to change"


class AnswerPicture(QWidget):
    """Paints an image in the middle of the surround."""

    def __init__(self, appearance: Appearance, pictures: TileLoader[QImage]) -> None:
        super().__init__()
        self._appearance, self._pictures = appearance, pictures
        self._trial: str | None = None
        self.setFixedHeight(_HEIGHT)

    def show_trial(self, trial_id: str | None) -> None:
        self._trial = trial_id
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(PREVIEW_WIDTH, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.colour("surround"))
        picture = self._pictures.get(self._trial) if self._trial is not None else None
        if picture is None:
            return
        room = QRectF(self.rect().adjusted(4, 4, -4, -4))
        size = QSizeF(picture.size()).scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        frame = QRectF(room.topLeft(), size)
        frame.moveCenter(room.center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(frame, picture)


class ChosenReferences(QWidget):
    """Paints as many references of the chosen class as fit, to compare the image with."""

    def __init__(self, appearance: Appearance, references: FirstReferences[QImage]) -> None:
        super().__init__()
        self._appearance, self.loader = appearance, references
        self.wnid: str | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        references.listen(self._show_loaded)

    def show_class(self, wnid: str | None) -> None:
        self.wnid = wnid
        if wnid is not None:
            self.loader.request([wnid])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        loaded = self.loader.get(self.wnid) if self.wnid is not None else None
        if loaded is None:
            return
        painter = QPainter(self)
        for cell, tile in zip(self._cells(), loaded.tiles, strict=False):
            painter.fillRect(cell, self._appearance.colour("surround"))
            draw_cropped(painter, QRectF(cell), loaded.sheet, tile)

    def _cells(self) -> Iterator[QRect]:
        """Yield the places of whole pictures, row by row."""
        wide = (self.width() - (_COLUMNS - 1) * PICTURE_GAP) // _COLUMNS
        high = wide * 3 // 4
        for y in range(0, self.height() - high, high + PICTURE_GAP):
            for column in range(_COLUMNS):
                yield QRect(column * (wide + PICTURE_GAP), y, wide, high)

    def _show_loaded(self, wnid: str) -> None:
        if wnid == self.wnid:
            self.update()


class AnswerPreview(QWidget):
    """Shows an answer, with a button to open it."""

    open_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        pictures: TileLoader[QImage],
        references: FirstReferences[QImage],
    ) -> None:
        super().__init__()
        self.references = ChosenReferences(appearance, references)
        self.picture = AnswerPicture(appearance, pictures)
        self.name = label(rank="heading", wrap=True)
        self.facts = label(rank="caption", wrap=True)
        self.words = label(rank="body", wrap=True)
        self.open = CommandButton(appearance, OPEN_TEXT, keys=keymap[Action.CHOOSE_CLASS].keys[:1])
        self.open.clicked.connect(self.open_wanted)
        self.setFixedWidth(PREVIEW_WIDTH)
        vbox(
            self.picture,
            self.name,
            self.facts,
            self.words,
            grow(self.references),
            self.open,
            on=self,
        )

    def show_answer(self, tile: AnswerTile | None) -> None:
        """Show an answer, or nothing where there is none."""
        self.picture.show_trial(tile.trial_id if tile else None)
        self.references.show_class(tile.wnid if tile else None)
        self.name.setText(tile.name if tile else "")
        self.facts.setText(_facts(tile) if tile else "")
        self.words.setText(tile.words.capitalize() if tile else "")
        self.open.setEnabled(tile is not None)


def _facts(tile: AnswerTile) -> str:
    sure = f"confidence {tile.confidence} of 5" if tile.confidence else ""
    time = f"{tile.time} active" if tile.time else ""
    return " · ".join(filter(None, (f"image {tile.position:,}", sure, time)))
