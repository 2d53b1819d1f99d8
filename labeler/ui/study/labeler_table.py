"""How far everyone is, for the lead: counts, and nothing that was answered."""

from PySide6.QtWidgets import QFrame, QGridLayout

from labeler.app.study.home import LabelerRow
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.text.labels import label


class LabelerTable(QFrame):
    """A row for each person: code, a line that fills where there is an end, counts, state."""

    def __init__(self, rows: tuple[LabelerRow, ...], *, heading: str = "Labelers") -> None:
        """Without a heading it is part of another card."""
        super().__init__()
        if heading:
            self.setProperty("kind", "card")
        self.setAccessibleName(f"{heading or 'Progress'}: who is how far")
        grid = QGridLayout(self)
        grid.setContentsMargins(*((16, 12, 16, 16) if heading else (0, 0, 0, 0)))
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        if heading:
            grid.addWidget(label(heading, rank="heading"), 0, 0, 1, 4)
        for number, row in enumerate(rows, start=1):
            grid.addWidget(label(row.code, rank="number"), number, 0)
            if row.total:
                line = ProgressBar(row.code)
                line.show_part(row.done, row.total)
                grid.addWidget(line, number, 1)
            grid.addWidget(label(row.progress), number, 2)
            grid.addWidget(label(row.state, rank="muted"), number, 3)
