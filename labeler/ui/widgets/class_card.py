"""A class in words: name, other names, gloss, places in the taxonomy, and where to go from it."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.presenters.class_views import ClassDetails
from labeler.ui.widgets.chip_row import ChipRow
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.path_line import PathLine

PATHS_SHOWN = 2
LINES_KEPT = 3
_SPACING = 4


class ClassCard(QWidget):
    """Renders a class's details; a chip asks for its class, a step of a path for its node."""

    chosen = Signal(str)
    node_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._name = label(rank="title")
        self._other_names = label(rank="muted")
        self._paths = [PathLine() for _ in range(PATHS_SHOWN)]
        self._gloss = label(wrap=True)
        self._words = self._lay_out_words()
        self._siblings = ChipRow("Siblings")
        self._look_alikes = ChipRow("Look-alikes")
        self._lay_out()
        for row in (self._siblings, self._look_alikes):
            row.chosen.connect(self.chosen)
        for line in self._paths:
            line.node_chosen.connect(self.node_chosen)

    def render_details(self, details: ClassDetails) -> None:
        """Show a class in place of the one before."""
        self._name.setText(details.name)
        self._other_names.setText(", ".join(details.other_names))
        self._gloss.setText(_sentence(details.gloss))
        for number, line in enumerate(self._paths):
            line.setVisible(number < len(details.path_nodes))
            if number < len(details.path_nodes):
                line.show_path(details.path_nodes[number])
        self._siblings.show_links(details.siblings)
        self._look_alikes.show_links(details.look_alikes)

    def event(self, event: QEvent) -> bool:
        # Most classes need no more than this room, and so the images below stay where they are.
        if event.type() in (QEvent.Type.Polish, QEvent.Type.StyleChange):
            self._keep_room()
        return super().event(event)

    def _keep_room(self) -> None:
        line = self._gloss.fontMetrics().lineSpacing()
        self._words.setMinimumHeight(LINES_KEPT * (line + _SPACING))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(self._name)
        top.addWidget(self._other_names, stretch=1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addLayout(top)
        whole.addWidget(self._words)
        whole.addWidget(self._siblings)
        whole.addWidget(self._look_alikes)

    def _lay_out_words(self) -> QWidget:
        words = QWidget()
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_SPACING)
        for line in self._paths:
            column.addWidget(line)
        column.addWidget(self._gloss)
        column.addStretch()
        return words


def _sentence(gloss: str) -> str:
    return gloss[:1].upper() + gloss[1:]
