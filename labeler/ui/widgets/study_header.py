"""The study at a glance: its name, its numbers, its phases."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.overview import Count, StudyOverview
from labeler.ui.look import Look
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.phase_card import PhaseCardWidget


class StudyHeader(QWidget):
    """Name and counts on one line, the phases below in their order."""

    def __init__(self, look: Look, *, study_name: str, overview: StudyOverview) -> None:
        super().__init__()
        top = QHBoxLayout()
        top.setSpacing(24)
        top.addWidget(label(study_name, rank="title"), stretch=1)
        for count in overview.counts:
            top.addLayout(_count(count))
        cards = QHBoxLayout()
        cards.setSpacing(16)
        for card in overview.phases:
            cards.addWidget(PhaseCardWidget(look, card), stretch=1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addLayout(top)
        whole.addLayout(cards)


def _count(count: Count) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(4)
    line.addWidget(label(f"{count.number:,}", rank="number"))
    line.addWidget(label(count.label, rank="muted"))
    return line
