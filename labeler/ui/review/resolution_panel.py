"""The choice of a resolution rule, with a preview of its result."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.review.resolution import ResolutionSettings
from labeler.app.review.reviewers import (
    RULE_DESCRIPTIONS,
    RULE_NAMES,
    TRUTH_NAMES,
    ReviewersView,
)
from labeler.core.review.dawid_skene import Truth
from labeler.core.study.entities import ResolutionRule
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
        self.truth = ChoiceBox(appearance, "True states of a label")
        self.threshold = NumberField(least=50, most=100, value=50)
        self.meaning = label(rank="muted", wrap=True)
        self.outcome = label(wrap=True)
        self.resolve = KeyButton(appearance, keymap[Action.RESOLVE_VERDICTS], "Resolve", main=True)
        self.with_file = CommandButton(appearance, "Resolve and save probabilities…")
        self._fill()
        self._lay_out()
        self.rule.currentIndexChanged.connect(self.chosen)
        self.quorum.valueChanged.connect(self.chosen)
        self.reviewer.currentIndexChanged.connect(self.chosen)
        self.truth.currentIndexChanged.connect(self.chosen)
        self.threshold.valueChanged.connect(self.chosen)
        self.resolve.clicked.connect(self.resolve_wanted)
        self.with_file.clicked.connect(self.file_wanted)

    def settings(self) -> ResolutionSettings:
        """Return the chosen rule with the options that it has."""
        rule = ResolutionRule(self.rule.currentData())
        quorum = self.quorum.value()
        if rule is ResolutionRule.SINGLE:
            code = self.reviewer.currentData()
            reviewer = code if isinstance(code, str) else None
            return ResolutionSettings(rule=rule, quorum=quorum, reviewer=reviewer)
        if rule is not ResolutionRule.DAWID_SKENE:
            return ResolutionSettings(rule=rule, quorum=quorum)
        truth = Truth(self.truth.currentData())
        threshold = self.threshold.value() / 100 if truth is Truth.BINARY else None
        return ResolutionSettings(rule=rule, quorum=quorum, truth=truth, threshold=threshold)

    def render_view(self, view: ReviewersView) -> None:
        """Show the chosen rule, its meaning and its result."""
        self._render_truth(view)
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
        for part in (self.rule, self.quorum, self.reviewer, self.truth, self.threshold):
            part.setEnabled(view.can_resolve)
        for button in (self.resolve, self.with_file):
            button.setEnabled(view.can_resolve)

    def _render_truth(self, view: ReviewersView) -> None:
        with QSignalBlocker(self.truth), QSignalBlocker(self.threshold):
            self.truth.setCurrentIndex(self.truth.findData(str(view.truth)))
            self.threshold.setValue(round(view.threshold * 100))
        estimates = view.rule is ResolutionRule.DAWID_SKENE
        self.truth.setVisible(estimates)
        self.threshold.setVisible(estimates and view.truth is Truth.BINARY)

    def _fill(self) -> None:
        for truth in Truth:
            self.truth.addItem(TRUTH_NAMES[truth], str(truth))
        self.threshold.setPrefix("Threshold: ")
        self.threshold.setSuffix(" %")
        self.threshold.setToolTip(
            "The probability that a state needs; a label where neither state reaches it is unclear"
        )
        self.threshold.setAccessibleName("Probability that a state needs, in percent")
        for rule in ResolutionRule:
            self.rule.addItem(RULE_NAMES[rule], str(rule))
        self.quorum.setPrefix("Quorum: ")
        self.quorum.setToolTip("How many verdicts a label needs; with fewer, it stays open")
        self.quorum.setAccessibleName("Verdicts needed per label")

    def _lay_out(self) -> None:
        line = hbox(self.rule, self.quorum, self.reviewer, self.truth, self.threshold, stretch())
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
