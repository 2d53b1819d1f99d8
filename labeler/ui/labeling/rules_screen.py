"""The evaluation rules on one page, before a labeler starts or to read them again."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Key, Keymap
from labeler.app.labeling.rules import Rule, RulesView
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_WIDTH = 1120
_READ_AGAIN_TEXT = "You can read these rules again at any time from the home page."


class RulesScreen(Page):
    """Shows the numbered rules with their keys in two columns."""

    begin_wanted = Signal()
    home_wanted = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, view: RulesView, *, again: bool = False
    ) -> None:
        """With `again` there is no button to start, only one to go home."""
        super().__init__(appearance, width=_WIDTH)
        self._keymap = keymap
        self.begin = CommandButton(
            appearance, "Start", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.home = self._home_button(again)
        self.begin.clicked.connect(self.begin_wanted)
        self.home.clicked.connect(self.home_wanted)
        self._later = label(_READ_AGAIN_TEXT, rank="caption")
        self._lay_out(view)
        if again:
            self.begin.hide()
            self._later.hide()
        self.set_initial_focus(self.home if again else self.begin)

    def _home_button(self, again: bool) -> CommandButton:
        if again:
            return CommandButton(
                self._appearance, "Home", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
            )
        keys = self._keymap[Action.GO_HOME].keys[:1]
        return CommandButton(self._appearance, "Not now", keys=keys, actions=[Action.GO_HOME])

    def _lay_out(self, view: RulesView) -> None:
        self.column.setSpacing(16)
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addWidget(label(view.title, rank="title"))
        head.addWidget(label(view.welcome, rank="muted", wrap=True))
        self.column.addLayout(head)
        self.column.addWidget(self._card(view.rules))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.begin)
        foot.addWidget(self.home)
        foot.addStretch(1)
        foot.addWidget(self._later)
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
            line.addWidget(KeyCaps(self._appearance, keys, actions=rule.actions))
        return line
