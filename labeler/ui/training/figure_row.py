"""A few large numbers side by side, each with what it says."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from labeler.app.data_views import KeyNumber
from labeler.ui.kit.layout.clearing import clear_layout
from labeler.ui.kit.text.labels import label


class NumberRow(QWidget):
    """Renders figures in a row."""

    def __init__(self) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)

    def render_numbers(self, figures: tuple[KeyNumber, ...]) -> None:
        clear_layout(self._row)
        for figure in figures:
            self._row.addWidget(label(figure.number, rank="title"))
            self._row.addWidget(label(figure.words, rank="muted"))
            self._row.addSpacing(24)
        self._row.addStretch()
        self.setAccessibleName(", ".join(f"{f.number} {f.words}" for f in figures))
