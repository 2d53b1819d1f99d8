"""Room that is kept for a sentence, so that nothing moves when it comes or goes."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import wrapped_height
from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

# The frame's lines and what it keeps free above and below the sentence.
_FRAME_HEIGHT = 18


class ErrorBannerSpace(QWidget):
    """As high as so many lines of a sentence, whether there is one or not.

    Of several places for one, only one says something at a time.
    """

    def __init__(self, look: Appearance, *told: ErrorBanner, lines: int) -> None:
        super().__init__()
        self._look, self._lines = look, lines
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for place in told:
            column.addWidget(place)
        column.addStretch()
        look.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = wrapped_height(self._look.font(TypeSize.BODY), self._lines)
        self.setMinimumHeight(lines + _FRAME_HEIGHT)
