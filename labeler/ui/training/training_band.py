"""The band above a training, which shows that it isn't the evaluation."""

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.window.theme import Appearance

_HEIGHT, _LINE = 40, 2
# How much of the training's colour the background has; text stays legible on it.
_TINT = 0.2
NOT_EVALUATION = "Not part of the evaluation"


class TrainingBand(QWidget):
    """Names the training, in a colour that the evaluation doesn't have."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        appearance.changed.connect(self.update)
        self.setMinimumHeight(round(_HEIGHT * appearance.text_scale))
        self.deck = ElidedLabel(rank="muted")
        title = label("Training", rank="number")
        apart = label(NOT_EVALUATION, rank="muted")
        hbox(title, grow(self.deck), apart, on=self, spacing=12, margins=(16, 0, 16, 2))

    def show_deck(self, title: str) -> None:
        self.deck.setText(title)
        self.setAccessibleName(f"Training: {title}. {NOT_EVALUATION}.")

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = self._appearance.colour("training")
        painter.fillRect(0, self.height() - _LINE, self.width(), _LINE, colour)
        painter.setOpacity(_TINT)
        painter.fillRect(0, 0, self.width(), self.height() - _LINE, colour)
