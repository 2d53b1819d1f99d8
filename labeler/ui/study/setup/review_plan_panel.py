"""Planning a blind review: who judges what, with a preview."""

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpinBox, QWidget

from labeler.app.review.plan import PLAN_COLUMNS, PlanSettings, last_plan, plan_rows
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.app.study.setup.study_setup import Sentences
from labeler.core.hash_order import MAX_SEED
from labeler.core.review.leak import DEFAULT_LEAK
from labeler.core.study.entities import Stage
from labeler.core.text import count_noun
from labeler.ui.kit.input.form_fields import CheckBox, ChoiceBox
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.layout.flow_layout import FlowLayout, clear_layout
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.file_preview import align_right
from labeler.ui.study.setup.form import CardForm, HintLabel, WheelGuard, form_card
from labeler.ui.study.setup.setup_panel import SetupPanel, integer_field, push_button, row_layout
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "Which labels are judged, and by whom. You can only extend a plan: after new models, answers "
    "or reviewers arrive, plan again to add what is new."
)
_STAGES = {
    Stage.INITIAL: "Initial: targets and the models' first predictions",
    Stage.FINAL: "Final: the labelers' answers, mixed with model predictions",
}
assert set(_STAGES) == set(Stage)
_OVERLAP = "The number of reviewers for each image. With two or more you can measure agreement."
_MODEL_SEEDS = "Model predictions to mix in for each image, so that sources can't be guessed."
_REJUDGED_SHARE = "The share of labels from the initial review that are judged again."
_LEAK = (
    "How far a guess of a label's source may be from its base rate. Decoys, plausible labels that "
    "nobody proposed, are added until it is."
)
_REPEATS = "The share of labels that the same reviewer judges twice, to measure consistency."
_SEED = "The same seed assigns the work in the same way."
PREVIEW_FIRST = "Preview first, to see what the plan reveals to reviewers and what it costs."
NO_PLAN = "No review is planned yet."
PLAN_REVIEW = "Plan &review"
EXTEND_PLAN = "&Extend plan"
NO_REVIEWERS = "none: assign the reviewer role to someone in People"
_MAX_OVERLAP, _MAX_SEEDS = 100, 100
_DEFAULT_LEAK = round(100 * DEFAULT_LEAK)


class ReviewPlanPanel(SetupPanel):
    """Plans or extends a review; a preview changes nothing, but a plan can't be undone."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, title="Review plans", about=_ABOUT)
        self.state = label(wrap=True)
        self.stage = ChoiceBox(appearance, "Review")
        WheelGuard(self.stage)
        for stage, words in _STAGES.items():
            self.stage.addItem(words, stage)
        self.reviewers: dict[str, CheckBox] = {}
        self._people = QWidget()
        # Reviewers that don't fit on one line wrap to the next.
        self._reviewers = FlowLayout(self._people, spacing=16)
        self.overlap = integer_field("Reviewers per image", least=1, most=_MAX_OVERLAP, value=1)
        self.repeats = _percent_field("Labels judged twice by the same reviewer")
        self.model_seeds = integer_field(
            "Model predictions mixed in", least=0, most=_MAX_SEEDS, value=1
        )
        self.again = _percent_field("Labels judged again")
        self.leak = integer_field(
            "Largest leak", least=-1, most=100, value=_DEFAULT_LEAK, none="no decoys"
        )
        self.leak.setSuffix(" %")
        self.sample_only = CheckBox(appearance, "Only images of the sample")
        self.seed = integer_field("Seed", least=-1, most=MAX_SEED, value=-1, none="default")
        self.seed.setGroupSeparatorShown(False)
        self.preview = push_button("&Preview")
        self.plan = push_button(PLAN_REVIEW)
        self.preview_text = HintLabel(rank="body")
        self._facts: SetupFacts | None = None
        self._previewed: PlanSettings | None = None
        self.made = text_table("Earlier plans", PLAN_COLUMNS)
        self.made.setSelectionMode(self.made.SelectionMode.NoSelection)
        self._taken_over: set[Stage] = set()
        self._model_seeds_row = _with_explanation(self.model_seeds, _MODEL_SEEDS)
        self._again_row = _with_explanation(self.again, _REJUDGED_SHARE)
        self._form = self._lay_out()
        self.stage.currentIndexChanged.connect(lambda _place: self._choose_stage())
        for field in (
            self.overlap,
            self.repeats,
            self.model_seeds,
            self.again,
            self.leak,
            self.seed,
        ):
            field.valueChanged.connect(lambda _value: self._update_buttons())
        self.sample_only.toggled.connect(lambda _on: self._update_buttons())
        self.preview.clicked.connect(self._preview)
        self.plan.clicked.connect(self._plan)

    @property
    def chosen_stage(self) -> Stage:
        return Stage(self.stage.currentData())

    def render_facts(self, facts: SetupFacts) -> None:
        self._facts = facts
        self._render_reviewers(facts)
        planned = [
            f"The {stage} review has {count_noun(size.pairs, 'label')} on "
            f"{count_noun(size.images, 'image')} for {count_noun(size.reviewers, 'reviewer')}."
            for stage, size in facts.plans.items()
        ]
        self.state.setText(" ".join(planned) or NO_PLAN)
        rows = plan_rows(facts.plans_made)
        fill_table(self.made, rows)
        align_right(self.made, columns=(2, 3, 4, 6))
        for part in (self._made_title, self.made):
            part.setVisible(bool(rows))
        self._show_stage()

    def _render_reviewers(self, facts: SetupFacts) -> None:
        codes = facts.study.reviewers
        if tuple(self.reviewers) == codes and codes:
            return
        kept = {code: box.isChecked() for code, box in self.reviewers.items()}
        clear_layout(self._reviewers)
        self.reviewers = {code: CheckBox(self._appearance, code) for code in codes}
        for code, box in self.reviewers.items():
            box.setChecked(kept.get(code, True))
            box.toggled.connect(lambda _on: self._update_buttons())
            self._reviewers.addWidget(box)
        if not codes:
            self._reviewers.addWidget(label(NO_REVIEWERS, rank="muted"))

    def _show_stage(self) -> None:
        """Show the fields of the stage, and whether its plan would be extended."""
        stage = self.chosen_stage
        final = stage is Stage.FINAL
        for row in (self._model_seeds_row, self._again_row):
            self._form.setRowVisible(row, final)
        self._form.setRowVisible(self.sample_only, not final)
        self._take_over(stage)
        planned = self._facts is not None and stage in self._facts.plans
        self.plan.setText(EXTEND_PLAN if planned else PLAN_REVIEW)
        self._update_buttons()

    def _take_over(self, stage: Stage) -> None:
        """Fill the form with the stage's last plan, whose options an extension usually shares."""
        last = None if self._facts is None else last_plan(self._facts.plans_made, stage)
        if last is None or stage in self._taken_over:
            return
        self._taken_over.add(stage)
        self.overlap.setValue(last.overlap)
        self.repeats.setValue(round(100 * last.repeats))
        self.model_seeds.setValue(last.model_seeds)
        self.again.setValue(round(100 * last.again))
        self.leak.setValue(-1 if last.leak is None else round(100 * last.leak))

    def _choose_stage(self) -> None:
        self._show_text("")
        self._show_stage()

    def _show_text(self, words: str) -> None:
        self.preview_text.setText(words)
        self._form.setRowVisible(self.preview_text, bool(words))

    def _update_buttons(self) -> None:
        """Enable planning after a preview of the same settings, which says what they reveal."""
        settings = self._chosen_settings()
        self.preview.setEnabled(bool(settings.reviewers))
        self.plan.setEnabled(bool(settings.reviewers) and settings == self._previewed)
        self.plan.setToolTip("" if settings == self._previewed else PREVIEW_FIRST)

    def _chosen_settings(self) -> PlanSettings:
        return PlanSettings(
            stage=self.chosen_stage,
            seed=self.seed.value() if self.seed.value() >= 0 else None,
            reviewers=tuple(code for code, box in self.reviewers.items() if box.isChecked()),
            overlap=self.overlap.value(),
            model_seeds=self.model_seeds.value(),
            again=self.again.value() / 100,
            repeats=self.repeats.value() / 100,
            leak=None if self.leak.value() < 0 else self.leak.value() / 100,
            sample_only=self.sample_only.isChecked(),
        )

    def _preview(self) -> None:
        settings = self._chosen_settings()
        self._show_text("")
        self._set_up.watch(
            lambda _progress: self._set_up.study_setup.preview_plan(settings),
            done=lambda sentences: self._show_preview(settings, sentences),
        )

    def _show_preview(self, settings: PlanSettings, sentences: Sentences) -> None:
        self._previewed = settings
        self._update_buttons()
        self._show_text("\n".join(sentences))
        self.ensure_visible_wanted.emit(self.preview_text)

    def _plan(self) -> None:
        settings = self._chosen_settings()
        self._previewed = None
        self._show_text("")
        self._update_buttons()
        self._set_up.do(lambda _progress: self._set_up.study_setup.plan_review(settings))

    def _lay_out(self) -> CardForm:
        frame, form = form_card()
        # The form gives its full width only to widgets that expand.
        self._people.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        for part in (
            self.overlap,
            self.repeats,
            self.model_seeds,
            self.again,
            self.leak,
            self.seed,
        ):
            part.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        form.add("Review", row_layout(self.stage, stretch=False))
        form.add("Reviewers", self._people)
        form.add("Per image", _with_explanation(self.overlap, _OVERLAP))
        form.add("Model labels", self._model_seeds_row)
        form.add("Judged again", self._again_row)
        form.add("Repeats", _with_explanation(self.repeats, _REPEATS))
        form.add("Leak", _with_explanation(self.leak, _LEAK))
        form.add("", self.sample_only)
        form.add("Seed", _with_explanation(self.seed, _SEED))
        form.add("", row_layout(self.preview, self.plan, stretch=False))
        form.add("", self.preview_text)
        form.setRowVisible(self.preview_text, False)
        self._made_title = label("Earlier plans", rank="heading")
        for shown in (self.state, frame, self._made_title, self.made):
            self.column.addWidget(shown)
        return form


def _with_explanation(part: QWidget, hint: str) -> QHBoxLayout:
    """Lay out a small field with its explanation to the right."""
    return hbox(part, grow(HintLabel(hint)), spacing=12)


def _percent_field(name: str) -> QSpinBox:
    """Return a field for a share in percent."""
    made = integer_field(name, least=0, most=100, value=0, none="none")
    made.setSuffix(" %")
    return made
