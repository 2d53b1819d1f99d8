"""A box to tick, legible in both themes: Qt's own has an outline that the dark one swallows."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox

from labeler.ui.window.icons import paint_icon
from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

_CHECK_SIZE, _CHECK_GAP, _CHECK_MARGIN = 20, 8, 4


class CheckBox(QCheckBox):
    """A check box that draws itself with the program's icons."""

    def __init__(self, look: Appearance, text: str) -> None:
        super().__init__(text)
        self._look = look
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        flags = Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic
        words = self.fontMetrics().size(flags, self.text())
        height = max(words.height(), _CHECK_SIZE) + _CHECK_MARGIN
        return QSize(_CHECK_SIZE + _CHECK_GAP + words.width() + _CHECK_MARGIN, height)

    def hitButton(self, position: object) -> bool:  # noqa: ARG002
        return True

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        colours = self._look.theme.colours
        name = "ticked" if self.isChecked() else "unticked"
        lit = self.isEnabled() and (self.isChecked() or self.hasFocus())
        box = QRectF(0, (self.height() - _CHECK_SIZE) / 2, _CHECK_SIZE, _CHECK_SIZE)
        colour = colours["accent" if lit else "strong_line"]
        paint_icon(painter, box, name, colour=colour, behind=colours["surface"])
        painter.setFont(self._look.font(TypeSize.BODY))
        painter.setPen(self._look.colour(self._words_colour()))
        words = QRect(
            _CHECK_SIZE + _CHECK_GAP, 0, self.width() - _CHECK_SIZE - _CHECK_GAP, self.height()
        )
        flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextShowMnemonic.value
        painter.drawText(words, flags, self.text())

    def _words_colour(self) -> str:
        if not self.isEnabled():
            return "muted"
        return "accent" if self.hasFocus() else "text"
