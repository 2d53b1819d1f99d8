"""A field for a whole number, with its words as far from the edge as in other fields."""

from PySide6.QtWidgets import QSpinBox

_NUMBER_INSET = 9  # a style sheet's padding doesn't reach the words in this one


class NumberField(QSpinBox):
    """Takes numbers from `least` to `most`."""

    def __init__(self, *, least: int, most: int, value: int) -> None:
        super().__init__()
        self.lineEdit().setTextMargins(_NUMBER_INSET, 0, _NUMBER_INSET, 0)
        self.setRange(least, most)
        self.setValue(value)
