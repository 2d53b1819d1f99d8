"""The form in which the lead plans a round, with a preview of what it asks for."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QWidget

from labeler.app.crowd.planning import (
    DEFAULT_ANSWERS,
    DEFAULT_QUALIFICATION,
    PlanChoices,
    RoundPlan,
    RoundRequest,
    plan_round,
)
from labeler.app.keymap import Key
from labeler.app.runner import LatestRequest
from labeler.core.crowd.grids import GridRules
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.ui.kit.input.check_list import CheckList
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.form_fields import CheckBox, ChoiceBox, NumberField
from labeler.ui.kit.layout.boxes import hbox, stretch, vbox
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.window.context import StudyContext
from labeler.ui.window.theme import Appearance

TITLES = {
    CrowdTask.CONTAINS: "Plan contains round",
    CrowdTask.CLASSIFY: "Plan classify round",
}
COUNTING = "Counting…"
NO_DATASET = "Tick at least one dataset."
NO_ROOM = "A grid needs room for at least one image next to its controls."
_LABEL_WORDS = {
    LabelChoice.POTENTIAL: "First five of each model, and the target",
    LabelChoice.TARGET: "Target only",
    LabelChoice.CANDIDATE: "Candidate labels of the last aggregation",
}
assert set(_LABEL_WORDS) == set(LabelChoice), "every choice has its words"
_CHOICES = {
    CrowdTask.CONTAINS: (LabelChoice.POTENTIAL, LabelChoice.TARGET),
    CrowdTask.CLASSIFY: (LabelChoice.CANDIDATE, LabelChoice.POTENTIAL),
}
_WIDTH, _ROWS = 560, 4


def _checked(appearance: Appearance, name: str, names: Sequence[str]) -> CheckList:
    """Return a list of names, all checked."""
    made = CheckList(appearance, name, rows=_ROWS)
    made.show_rows(tuple((each, each) for each in names), tuple(names))
    made.ensurePolished()
    made.setMinimumHeight(made.sizeHint().height())
    return made


class PlanRoundDialog(QDialog):
    """`wanted` carries the plan that was previewed."""

    wanted = Signal(RoundPlan)

    def __init__(
        self, context: StudyContext, parent: QWidget, *, task: CrowdTask, choices: PlanChoices
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(TITLES[task])
        self.setMinimumWidth(_WIDTH)
        self._context, self._task = context, task
        self._counting = LatestRequest(context.workers.background)
        self._plan: RoundPlan | None = None
        appearance, rules = context.appearance, GridRules()
        self.datasets = _checked(context.appearance, "Datasets", choices.evaluation)
        self.sampled = CheckBox(appearance, "Only the evaluation sample")
        self.labels = ChoiceBox(appearance, "Labels")
        for choice in _CHOICES[task]:
            self.labels.addItem(_LABEL_WORDS[choice], choice)
        self.models = _checked(context.appearance, "Models", choices.models)
        self.controls = _checked(context.appearance, "Datasets for controls", choices.references)
        self.answers = NumberField(least=1, most=1000, value=DEFAULT_ANSWERS)
        self.images = NumberField(least=2, most=rules.images, value=rules.images)
        self.positive = NumberField(least=0, most=rules.images - 1, value=rules.positive)
        self.negative = NumberField(least=0, most=rules.images - 1, value=rules.negative)
        self.qualification = NumberField(least=0, most=100, value=DEFAULT_QUALIFICATION)
        self.qualification.setSuffix(" %")
        self.references = CheckBox(appearance, "Show reference images of each label")
        self.preview = label(rank="muted", wrap=True)
        self.banner = ErrorBanner(appearance)
        self.plan = CommandButton(
            appearance, "Plan round", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.plan.setDefault(True)
        self.cancel = CommandButton(appearance, "Cancel", keys=[Key((), "Esc")])
        self._lay_out()
        self._connect()
        self.count()

    def count(self) -> None:
        """Work out what the form asks for."""
        self._plan = None
        self.plan.setEnabled(False)
        asks_models = self.labels.currentData() == LabelChoice.POTENTIAL
        self.models.setEnabled(asks_models)
        refusal = self._refusal()
        if refusal:
            self._show_error(refusal)
            return
        self.banner.say("")
        self.preview.setText(COUNTING)
        store, request = self._context.study.store, self._request()
        self._counting.run(
            "count crowd round",
            lambda: plan_round(store, request),
            done=self._show_plan,
            failed=lambda error: self._show_error(self._context.describe_error(error)),
        )

    def done(self, result: int) -> None:
        self._counting.drop()
        super().done(result)

    def _refusal(self) -> str:
        if not self.datasets.keys:
            return NO_DATASET
        full = self.positive.value() + self.negative.value() >= self.images.value()
        return NO_ROOM if full else ""

    def _request(self) -> RoundRequest:
        is_contains = self._task is CrowdTask.CONTAINS
        return RoundRequest(
            task=self._task,
            labels=LabelChoice(self.labels.currentData()),
            seed=self._context.study.store.identity.seed,
            datasets=self.datasets.keys,
            sampled=self.sampled.isChecked(),
            answers=self.answers.value(),
            rules=GridRules(
                images=self.images.value(),
                positive=self.positive.value(),
                negative=self.negative.value(),
            ),
            control_datasets=self.controls.keys if is_contains else None,
            models=self.models.keys,
            qualification=self.qualification.value(),
            shows_references=not is_contains and self.references.isChecked(),
        )

    def _show_plan(self, plan: RoundPlan) -> None:
        self._plan = plan
        self.preview.setText(" ".join(filter(None, (plan.summary, plan.warning))))
        self.plan.setEnabled(True)

    def _show_error(self, sentence: str) -> None:
        self._counting.drop()
        self.preview.setText("")
        self.banner.say(sentence)

    def _accept(self) -> None:
        if self._plan is not None:
            self.wanted.emit(self._plan)
            self.accept()

    def _connect(self) -> None:
        for checked in (self.datasets, self.models, self.controls):
            checked.ticked.connect(lambda _keys: self.count())
        self.sampled.toggled.connect(self.count)
        self.labels.currentIndexChanged.connect(self.count)
        for field in (self.answers, self.images, self.positive, self.negative, self.qualification):
            field.valueChanged.connect(self.count)
        self.references.toggled.connect(self.count)
        self.plan.clicked.connect(self._accept)
        self.cancel.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow("Datasets", self.datasets)
        form.addRow("", self.sampled)
        form.addRow("Labels", self.labels)
        form.addRow("Models", self.models)
        if self._task is CrowdTask.CONTAINS:
            form.addRow("Controls from", self.controls)
            form.addRow("Images in a grid", self.images)
            form.addRow("Positive controls", self.positive)
            form.addRow("Negative controls", self.negative)
        else:
            form.addRow("", self.references)
        form.addRow("Answers wanted for each", self.answers)
        form.addRow("Needed in the short test", self.qualification)
        buttons = hbox(stretch(), self.cancel, self.plan, spacing=12)
        vbox(form, self.preview, self.banner, buttons, on=self, spacing=12, margins=(16,) * 4)
