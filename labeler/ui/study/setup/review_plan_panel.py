"""Planning a blind review: who judges what, with a look at it before it counts."""

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpinBox, QWidget

from labeler.app.review.plan import PLAN_COLUMNS, PlanSettings, last_plan, plan_rows
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.app.study.setup.study_setup import Sentences
from labeler.core.hash_order import MAX_SEED
from labeler.core.study.entities import Stage
from labeler.core.text import count_noun
from labeler.ui.kit.input.form_fields import CheckBox, ChoiceBox
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.layout.flow_layout import FlowLayout, clear_layout
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.file_preview import align_right
from labeler.ui.study.setup.form import CardForm, HintLabel, WheelGuard, form_card
from labeler.ui.study.setup.setup_panel import (
    SetupPanel,
    fill_table,
    integer_field,
    push_button,
    row_layout,
    text_table,
)
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "Which labels reviewers judge, and who judges which images. A plan is only ever extended: "
    "made again after models, answers or reviewers came, it asks what is new and nothing twice."
)
_STAGES = {
    Stage.INITIAL: "Initial: targets and models' first predictions",
    Stage.FINAL: "Final: the labelers' answers, with models' mixed in",
}
assert set(_STAGES) == set(Stage)
_OVERLAP = "How many reviewers judge it: two or more show how far they agree."
_MODEL_SEEDS = "Model predictions for each image, so that it offers labels of both kinds."
_REJUDGED_SHARE = "The share of labels judged in the initial review that are asked once more."
_REPEATS = "The share of judgements that the same reviewer is asked twice, to measure them."
_SEED = "A number that shares the work out by chance: the same one does it the same way."
_MAX_OVERLAP, _MAX_SEEDS = 100, 100


class ReviewPlanPanel(SetupPanel):
    """A preview plans nothing; what is planned can't be taken back."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, title="Review plans", about=_ABOUT)
        self.state = label(wrap=True)
        self.stage = ChoiceBox(appearance, "Review")
        WheelGuard(self.stage)
        for stage, words in _STAGES.items():
            self.stage.addItem(words, stage)
        self.reviewers: dict[str, CheckBox] = {}
        self._people = QWidget()
        # More reviewers than one line has room for go on in the next.
        self._reviewers = FlowLayout(self._people, spacing=16)
        self.overlap = integer_field("Reviewers of each image", least=1, most=_MAX_OVERLAP, value=1)
        self.repeats = _percent_field("Judgements asked twice of the same reviewer")
        self.model_seeds = integer_field(
            "Model predictions mixed in", least=0, most=_MAX_SEEDS, value=1
        )
        self.again = _percent_field("Labels judged before that are asked again")
        self.sample_only = CheckBox(appearance, "Only images of the sample")
        self.seed = integer_field("Seed", least=-1, most=MAX_SEED, value=-1, none="the study's")
        self.seed.setGroupSeparatorShown(False)
        self.preview = push_button("&Preview")
        self.plan = push_button("Plan the &review")
        self.preview_text = HintLabel(rank="body")
        self._facts: SetupFacts | None = None
        self.made = text_table("Plans made so far", PLAN_COLUMNS)
        self.made.setSelectionMode(self.made.SelectionMode.NoSelection)
        self._taken_over: set[Stage] = set()
        self._model_seeds_row = _with_explanation(self.model_seeds, _MODEL_SEEDS)
        self._again_row = _with_explanation(self.again, _REJUDGED_SHARE)
        self._form = self._lay_out()
        self.stage.currentIndexChanged.connect(lambda _place: self._choose_stage())
        self.preview.clicked.connect(self._preview)
        self.plan.clicked.connect(self._plan)

    @property
    def chosen_stage(self) -> Stage:
        return Stage(self.stage.currentData())

    def render_facts(self, facts: SetupFacts) -> None:
        self._facts = facts
        self._render_reviewers(facts)
        planned = [
            f"The {stage} review asks {count_noun(size.pairs, 'label')} on "
            f"{count_noun(size.images, 'image')} of {count_noun(size.reviewers, 'reviewer')}."
            for stage, size in facts.plans.items()
        ]
        self.state.setText(" ".join(planned) or "No review is planned yet.")
        rows = plan_rows(facts.plans_made)
        fill_table(self.made, rows)
        align_right(self.made, columns=(2, 3, 4))
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
            box.toggled.connect(lambda _on: self._see_reviewers())
            self._reviewers.addWidget(box)
        if not codes:
            self._reviewers.addWidget(
                label("nobody: give somebody the role reviewer", rank="muted")
            )

    def _show_stage(self) -> None:
        """Show what the stage has to decide, and whether its plan would be the first."""
        stage = self.chosen_stage
        final = stage is Stage.FINAL
        for row in (self._model_seeds_row, self._again_row):
            self._form.setRowVisible(row, final)
        self._form.setRowVisible(self.sample_only, not final)
        self._take_over(stage)
        planned = self._facts is not None and stage in self._facts.plans
        self.plan.setText("&Extend the plan" if planned else "Plan the &review")
        self._see_reviewers()

    def _take_over(self, stage: Stage) -> None:
        """Begin with what the stage's last plan asked: an extension mostly goes on with it."""
        last = None if self._facts is None else last_plan(self._facts.plans_made, stage)
        if last is None or stage in self._taken_over:
            return
        self._taken_over.add(stage)
        self.overlap.setValue(last.overlap)
        self.repeats.setValue(round(100 * last.repeats))
        self.model_seeds.setValue(last.model_seeds)
        self.again.setValue(round(100 * last.again))

    def _choose_stage(self) -> None:
        self._show_text("")
        self._show_stage()

    def _show_text(self, words: str) -> None:
        self.preview_text.setText(words)
        self._form.setRowVisible(self.preview_text, bool(words))

    def _see_reviewers(self) -> None:
        """Someone has to judge."""
        anybody = any(box.isChecked() for box in self.reviewers.values())
        for pressed in (self.preview, self.plan):
            pressed.setEnabled(anybody)

    def _chosen_settings(self) -> PlanSettings:
        return PlanSettings(
            stage=self.chosen_stage,
            seed=self.seed.value() if self.seed.value() >= 0 else None,
            reviewers=tuple(code for code, box in self.reviewers.items() if box.isChecked()),
            overlap=self.overlap.value(),
            model_seeds=self.model_seeds.value(),
            again=self.again.value() / 100,
            repeats=self.repeats.value() / 100,
            sample_only=self.sample_only.isChecked(),
        )

    def _preview(self) -> None:
        settings = self._chosen_settings()
        self._show_text("")
        self._set_up.watch(
            lambda _progress: self._set_up.study_setup.preview_plan(settings),
            done=self._show_preview,
        )

    def _show_preview(self, sentences: Sentences) -> None:
        self._show_text("\n".join(sentences))
        self.ensure_visible_wanted.emit(self.preview_text)

    def _plan(self) -> None:
        settings = self._chosen_settings()
        self._show_text("")
        self._set_up.do(lambda _progress: self._set_up.study_setup.plan_review(settings))

    def _lay_out(self) -> CardForm:
        frame, form = form_card()
        # Only what wants to grow is as wide as its form lets it be.
        self._people.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        for part in (self.overlap, self.repeats, self.model_seeds, self.again, self.seed):
            part.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        form.add("Review", row_layout(self.stage, stretch=False))
        form.add("Reviewers", self._people)
        form.add("Each image to", _with_explanation(self.overlap, _OVERLAP))
        form.add("Models mixed in", self._model_seeds_row)
        form.add("Asked again", self._again_row)
        form.add("Repeats", _with_explanation(self.repeats, _REPEATS))
        form.add("", self.sample_only)
        form.add("Seed", _with_explanation(self.seed, _SEED))
        form.add("", row_layout(self.preview, self.plan, stretch=False))
        form.add("", self.preview_text)
        form.setRowVisible(self.preview_text, False)
        self._made_title = label("Plans made so far", rank="heading")
        for shown in (self.state, frame, self._made_title, self.made):
            self.column.addWidget(shown)
        return form


def _with_explanation(part: QWidget, hint: str) -> QHBoxLayout:
    """A small part with what it means to its right, where there is room."""
    return hbox(part, grow(HintLabel(hint)), spacing=12)


def _percent_field(name: str) -> QSpinBox:
    """A share in percent."""
    made = integer_field(name, least=0, most=100, value=0, none="none")
    made.setSuffix(" %")
    return made
