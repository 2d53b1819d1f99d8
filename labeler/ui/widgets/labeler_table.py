"""How far each labeler is, for the lead: counts, and nothing that was answered."""

from PySide6.QtWidgets import QFrame, QGridLayout

from labeler.app.presenters.home import LabelerRow
from labeler.ui.look import Look
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.progress_line import ProgressLine


class LabelerTable(QFrame):
    """A row for each labeler: code, a line that fills, counts, state."""

    def __init__(self, look: Look, rows: tuple[LabelerRow, ...]) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.setAccessibleName("Labelers' progress")
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 12, 16, 16)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.addWidget(label("Labelers", rank="heading"), 0, 0, 1, 4)
        for number, row in enumerate(rows, start=1):
            line = ProgressLine(look, row.code)
            line.show_part(row.done, row.total)
            grid.addWidget(label(row.code, rank="number"), number, 0)
            grid.addWidget(line, number, 1)
            grid.addWidget(label(f"{row.progress} answered"), number, 2)
            grid.addWidget(label(row.state, rank="muted"), number, 3)
