"""The rules of the evaluation on one page, before a labeler begins."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.key_names import Key
from labeler.app.keymap import Keymap
from labeler.app.presenters.rules import Rule, RulesView
from labeler.ui.look import Look
from labeler.ui.widgets.entry_button import EntryButton, Kind
from labeler.ui.widgets.key_caps import KeyCaps
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.page import Page

_WIDTH = 1120


class RulesScreen(Page):
    """Shows the rules in two columns, each with its number and its keys."""

    begin_wanted = Signal()
    home_wanted = Signal()

    def __init__(self, look: Look, keymap: Keymap, view: RulesView) -> None:
        super().__init__(look, width=_WIDTH)
        self._keymap = keymap
        self.begin = EntryButton(look, "Begin", keys=[Key((), "Return")], kind=Kind.PRIMARY)
        self.home = EntryButton(look, "Not now")
        self.begin.clicked.connect(self.begin_wanted)
        self.home.clicked.connect(self.home_wanted)
        self._lay_out(view)
        self.rest_focus_on(self.begin)

    def _lay_out(self, view: RulesView) -> None:
        self.column.setSpacing(16)
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addWidget(label("Before you begin", rank="title"))
        head.addWidget(label(view.welcome, rank="muted", wrap=True))
        self.column.addLayout(head)
        self.column.addWidget(self._card(view.rules))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.begin)
        foot.addWidget(self.home)
        foot.addStretch(1)
        foot.addWidget(label("These rules are shown once.", rank="caption"))
        self.column.addLayout(foot)

    def _card(self, rules: tuple[Rule, ...]) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        columns = QHBoxLayout(card)
        columns.setContentsMargins(24, 16, 24, 16)
        columns.setSpacing(48)
        numbered = list(enumerate(rules, start=1))
        half = -(-len(rules) // 2)
        for part in (numbered[:half], numbered[half:]):
            column = QVBoxLayout()
            column.setSpacing(16)
            for number, rule in part:
                column.addWidget(self._rule(number, rule))
            column.addStretch(1)
            columns.addLayout(column, stretch=1)
        return card

    def _rule(self, number: int, rule: Rule) -> QWidget:
        made = QWidget()
        made.setAccessibleName(f"Rule {number}: {rule.heading}. {rule.text}")
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        figure = label(str(number), rank="number")
        figure.setProperty("on", "figure")
        figure.setMinimumWidth(24)
        row.addWidget(figure, alignment=Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addLayout(self._heading(rule))
        words.addWidget(label(rule.text, rank="muted", wrap=True))
        words.addStretch()
        row.addLayout(words, stretch=1)
        return made

    def _heading(self, rule: Rule) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(label(rule.heading, rank="number"))
        line.addStretch()
        if rule.actions:
            keys = [self._keymap[action].keys[0] for action in rule.actions]
            line.addWidget(KeyCaps(self._look, keys, actions=rule.actions))
        return line
