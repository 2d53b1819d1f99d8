"""The summary of a training: its score, when missed classes are due, and what to do next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout

from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.training.summary import TrainingSummaryView
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import hbox, stretch
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.actions import bind_action, bind_scope
from labeler.ui.window.theme import Appearance

_WIDTH = 640
_NONE = "You missed no classes, so there is nothing to repeat."


class TrainingSummaryScreen(Page):
    """Shows a training that has ended; Enter starts another like it."""

    again_wanted = Signal()
    other_wanted = Signal()
    progress_wanted = Signal()
    home_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap, view: TrainingSummaryView) -> None:
        super().__init__(appearance, width=_WIDTH)
        self.view = view
        enter = [Key((), "Return")]
        self.again = CommandButton(appearance, "Train again", keys=enter, kind=ButtonKind.PRIMARY)
        self.other = _command_button(appearance, keymap, "Something else…", Action.OTHER_TRAINING)
        self.progress = _command_button(appearance, keymap, "Progress", Action.SHOW_PROGRESS)
        self.home = _command_button(appearance, keymap, "Home", Action.GO_HOME)
        bind_scope(self, keymap, Scope.TRAINING_SUMMARY, {Action.OTHER_TRAINING: self.other.click})
        bind_action(self, keymap[Action.SHOW_PROGRESS], self.progress.click)
        self._lay_out(view)
        self.again.clicked.connect(self.again_wanted)
        self.other.clicked.connect(self.other_wanted)
        self.progress.clicked.connect(self.progress_wanted)
        self.home.clicked.connect(self.home_wanted)
        self.set_initial_focus(self.again)

    def _lay_out(self, view: TrainingSummaryView) -> None:
        self.column.addWidget(label(view.heading, rank="title", wrap=True))
        self.column.addLayout(self._counts(view))
        self.column.addWidget(self._classes(view))
        buttons = hbox(self.again, self.other, self.progress, self.home, stretch(1))
        self.column.addLayout(buttons)

    def _counts(self, view: TrainingSummaryView) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for name, colour, words in (
            ("right", "open", f"{view.right:,} right"),
            ("wrong", "fault", f"{view.wrong:,} wrong"),
        ):
            row.addWidget(IconLabel(self._appearance, name, colour=colour, size=20))
            row.addWidget(label(words))
            row.addSpacing(16)
        row.addWidget(label(view.facts, rank="muted"))
        row.addStretch(1)
        return row

    def _classes(self, view: TrainingSummaryView) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        layout = QVBoxLayout(card)
        layout.setContentsMargins(24, 16, 24, 16)
        layout.setSpacing(8)
        if not view.again:
            layout.addWidget(label(_NONE, rank="muted", wrap=True))
            return card
        layout.addWidget(label("Due again", rank="heading"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        for row, each in enumerate(view.again):
            grid.addWidget(label(each.name), row, 0)
            when = label(each.when, rank="muted")
            grid.addWidget(when, row, 1, alignment=Qt.AlignmentFlag.AlignRight)
        layout.addLayout(grid)
        if view.more:
            layout.addWidget(label(view.more, rank="muted"))
        return card


def _command_button(
    appearance: Appearance, keymap: Keymap, text: str, action: Action
) -> CommandButton:
    return CommandButton(appearance, text, keys=keymap[action].keys[:1], actions=[action])
