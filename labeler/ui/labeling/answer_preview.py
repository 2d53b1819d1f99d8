"""The current one of the labeler's own answers: its image, large, and what was answered."""

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.labeling.my_answers import AnswerTile
from labeler.app.tile_loader import TileLoader
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.layout.boxes import stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.labeling.answer_grid import PREVIEW_WIDTH
from labeler.ui.window.theme import Appearance

_HEIGHT = 240
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


class AnswerPreview(QWidget):
    """Shows an answer, with a button to open it."""

    open_wanted = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, pictures: TileLoader[QImage]
    ) -> None:
        super().__init__()
        self.picture = AnswerPicture(appearance, pictures)
        self.name = label(rank="heading", wrap=True)
        self.facts = label(rank="caption", wrap=True)
        self.words = label(rank="body", wrap=True)
        self.open = CommandButton(appearance, OPEN_TEXT, keys=keymap[Action.CHOOSE_CLASS].keys[:1])
        self.open.clicked.connect(self.open_wanted)
        self.setFixedWidth(PREVIEW_WIDTH)
        vbox(self.picture, self.name, self.facts, self.words, stretch(1), self.open, on=self)

    def show_answer(self, tile: AnswerTile | None) -> None:
        """Show an answer, or nothing where there is none."""
        self.picture.show_trial(tile.trial_id if tile else None)
        self.name.setText(tile.name if tile else "")
        self.facts.setText(_facts(tile) if tile else "")
        self.words.setText(tile.words.capitalize() if tile else "")
        self.open.setEnabled(tile is not None)


def _facts(tile: AnswerTile) -> str:
    sure = f"confidence {tile.confidence} of 5" if tile.confidence else ""
    time = f"{tile.time} active" if tile.time else ""
    return " · ".join(filter(None, (f"image {tile.position:,}", sure, time)))
