"""Everyone's progress for the lead: counts, never answers."""

from PySide6.QtWidgets import QFrame, QGridLayout

from labeler.app.study.labeler_rows import LabelerRow
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.text.labels import label


class LabelerTable(QFrame):
    """A row for each person: code, progress bar if there is a total, counts, state."""

    def __init__(self, rows: tuple[LabelerRow, ...], *, heading: str = "Labelers") -> None:
        """An empty heading leaves out the card's frame, for use inside another card."""
        super().__init__()
        if heading:
            self.setProperty("kind", "card")
        self.setAccessibleName(f"Progress of {heading.lower()}" if heading else "Progress")
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
