"""A discussion without anything to discuss: it says so, and leads on."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from labeler.app.key_names import Key
from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_WIDTH = 640
_REVIEWER_NEXT = "The lead goes on from here."
_LEAD_NEXT = "The verdicts can be resolved into multi-labels."


class NoDisagreementsPage(Page):
    """Stands in place of the discussion; the lead is led to the resolution."""

    home_wanted = Signal()
    reviewers_wanted = Signal()

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__(look, width=_WIDTH)
        way_home, enter = keymap[Action.GO_HOME].keys[:1], [Key((), "Return")]
        self.sentence = label(rank="muted", wrap=True)
        self.explained = label(rank="muted", wrap=True)
        self.reviewers = CommandButton(
            look, "Reviewers and resolving", keys=enter, kind=ButtonKind.PRIMARY
        )
        self.home = CommandButton(look, "Home", keys=way_home, actions=[Action.GO_HOME])
        self.column.addWidget(label("Nothing to settle", rank="title"))
        self.column.addWidget(self.sentence)
        self.column.addWidget(self.explained)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.reviewers)
        row.addWidget(self.home)
        row.addStretch()
        self.column.addLayout(row)
        self.home.clicked.connect(self.home_wanted)
        self.reviewers.clicked.connect(self.reviewers_wanted)

    def say(self, sentence: str, *, to_lead: bool) -> None:
        self.sentence.setText(sentence)
        self.explained.setText(_LEAD_NEXT if to_lead else _REVIEWER_NEXT)
        self.reviewers.setVisible(to_lead)
        self.set_initial_focus(self.reviewers if to_lead else self.home)
