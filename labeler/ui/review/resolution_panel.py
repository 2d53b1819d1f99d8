"""The choice of a resolution rule, with a preview of its result."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.review.reviewers import RULE_DESCRIPTIONS, RULE_NAMES, ReviewersView
from labeler.core.review.resolution import ResolutionRule
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.input.form_fields import ChoiceBox, NumberField
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import hbox, stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_EACH_FIRST = "each label's first reviewer"


class ResolutionPanel(QWidget):
    """Emits `chosen` when the rule or an option changes, `file_wanted` to save probabilities."""

    chosen = Signal()
    resolve_wanted = Signal()
    file_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.rule = ChoiceBox(appearance, "Resolution rule")
        self.quorum = NumberField(least=1, most=99, value=1)
        self.reviewer = ChoiceBox(appearance, "Whose verdicts count")
        self.meaning = label(rank="muted", wrap=True)
        self.outcome = label(wrap=True)
        self.resolve = KeyButton(appearance, keymap[Action.RESOLVE_VERDICTS], "Resolve", main=True)
        self.with_file = CommandButton(appearance, "Resolve and save probabilities…")
        self._fill()
        self._lay_out()
        self.rule.currentIndexChanged.connect(self.chosen)
        self.quorum.valueChanged.connect(self.chosen)
        self.reviewer.currentIndexChanged.connect(self.chosen)
        self.resolve.clicked.connect(self.resolve_wanted)
        self.with_file.clicked.connect(self.file_wanted)

    @property
    def chosen_rule(self) -> ResolutionRule:
        return ResolutionRule(self.rule.currentData())

    @property
    def chosen_reviewer(self) -> str | None:
        code = self.reviewer.currentData()
        return code if isinstance(code, str) else None

    def render_view(self, view: ReviewersView) -> None:
        """Show the chosen rule, its meaning and its result."""
        with QSignalBlocker(self.rule), QSignalBlocker(self.reviewer):
            self.rule.setCurrentIndex(self.rule.findData(str(view.rule)))
            if self.reviewer.count() != len(view.reviewers) + 1:
                self.reviewer.clear()
                self.reviewer.addItem(_EACH_FIRST, None)
                for code in view.reviewers:
                    self.reviewer.addItem(code, code)
        self.meaning.setText(RULE_DESCRIPTIONS[view.rule].capitalize() + ".")
        self.outcome.setText(view.trouble or view.outcome)
        single = view.rule is ResolutionRule.SINGLE
        self.reviewer.setVisible(single)
        asks_quorum = view.rule not in (ResolutionRule.SINGLE, ResolutionRule.DAWID_SKENE)
        self.quorum.setVisible(asks_quorum)
        self.with_file.setVisible(view.rule is ResolutionRule.DAWID_SKENE)
        for part in (self.rule, self.quorum, self.reviewer):
            part.setEnabled(view.can_resolve)
        for button in (self.resolve, self.with_file):
            button.setEnabled(view.can_resolve)

    def _fill(self) -> None:
        for rule in ResolutionRule:
            self.rule.addItem(RULE_NAMES[rule], str(rule))
        self.quorum.setPrefix("Quorum: ")
        self.quorum.setToolTip("How many verdicts a label needs; with fewer, it stays open")
        self.quorum.setAccessibleName("Verdicts needed per label")

    def _lay_out(self) -> None:
        line = hbox(self.rule, self.quorum, self.reviewer, stretch())
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.resolve, self.with_file):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            buttons.addWidget(button)
        buttons.addStretch()
        vbox(
            label("Multi-labels from the verdicts", rank="heading"),
            line,
            self.meaning,
            self.outcome,
            buttons,
            stretch(),
            on=self,
        )
