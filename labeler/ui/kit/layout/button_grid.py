"""A grid of buttons with keys; if not all keys fit, the first columns keep theirs."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.window.theme import Appearance

_GAP = 8


class ButtonGrid(QWidget):
    """Divides the width so that as many columns as possible show their keys."""

    def __init__(self, appearance: Appearance, buttons: Sequence[KeyButton], *, rows: int) -> None:
        super().__init__()
        in_row = len(buttons) // rows
        self._columns = [list(buttons[column::in_row]) for column in range(in_row)]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        for number, button in enumerate(buttons):
            self._grid.addWidget(button, number // in_row, number % in_row)
        appearance.changed.connect(self._share_width)

    def sizeHint(self) -> QSize:
        return QSize(self._wide(self._full_widths()), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._wide(self._least()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Give each column space for its text, and the first ones space for their keys too."""
        least = self._least()
        left = self.width() - self._wide(least)
        for number, (words, full) in enumerate(zip(least, self._full_widths(), strict=True)):
            fits = full - words <= left
            left -= full - words if fits else 0
            self._grid.setColumnMinimumWidth(number, full if fits else words)

    def _least(self) -> list[int]:
        return [max(b.minimumSizeHint().width() for b in column) for column in self._columns]

    def _full_widths(self) -> list[int]:
        return [max(b.sizeHint().width() for b in column) for column in self._columns]

    def _wide(self, columns: list[int]) -> int:
        return sum(columns) + _GAP * (len(columns) - 1)
