"""Several labelers' answers to one image, one below the other."""

from PySide6.QtWidgets import QGridLayout, QWidget

from labeler.app.training.discussion_views import DiscussedAnswerView
from labeler.ui.kit.layout.clearing import clear_layout
from labeler.ui.kit.text.elided_label import ElidedLabel
from labeler.ui.kit.text.icon_label import IconLabel
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_RIGHT, _WRONG = ("right", "open"), ("wrong", "fault")


class AnswerList(QWidget):
    """Renders who answered what, right or wrong by icon, colour and word, and what is accepted."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def render_answers(self, answers: tuple[DiscussedAnswerView, ...], *, accepted: str) -> None:
        clear_layout(self._grid)
        for row, answer in enumerate(answers):
            icon, colour = _RIGHT if answer.right else _WRONG
            self._add(row, answer.labeler, answer.label, icon=icon, colour=colour)
            self._grid.addWidget(label(answer.word, rank="muted"), row, 3)
        self._add(len(answers), "Accepted", accepted, icon="", colour="text")
        self.setAccessibleName(
            "; ".join(f"{a.labeler}: {a.label}, {a.word}" for a in answers)
            + f"; accepted: {accepted}"
        )

    def _add(self, row: int, who: str, what: str, *, icon: str, colour: str) -> None:
        name = ElidedLabel(rank="number")
        name.setText(what)
        self._grid.addWidget(label(who, rank="muted"), row, 0)
        self._grid.addWidget(name, row, 1)
        if icon:
            self._grid.addWidget(IconLabel(self._look, icon, colour=colour, size=16), row, 2)
