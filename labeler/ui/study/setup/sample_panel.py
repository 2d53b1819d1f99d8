"""Drawing the evaluation sample, with a preview."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.app.datasets.sample_preview import SamplePreviewView
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.datasets.hidden_repeats import MAX_REPEATS
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.hash_order import MAX_SEED
from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.text import count_noun
from labeler.store.datasets.samples import Sample
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.form import HintLabel, form_card, with_hint
from labeler.ui.study.setup.setup_panel import SetupPanel, integer_field, push_button, row_layout
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "The images that every labeler classifies: the same number per class from each dataset, drawn "
    "at random."
)
_REPEATS = (
    "The share of the images that each labeler is asked twice, unmarked and far apart, to measure "
    "consistency. The first answer counts in every number."
)
_SEED = "Any number. The same seed always draws the same images."
_NEAR_DUPLICATES = (
    "Find images of the sample that nearly equal references, training images or each other."
)
NO_DATASET_CHOSEN = "Choose at least one dataset to draw from."
NOTHING_TO_DRAW = "There is nothing to draw from yet. Add images to classify first."
NO_SAMPLE = "No sample has been drawn."
DRAW_SAMPLE = "&Draw sample"
REPLACE_SAMPLE = "&Replace sample…"
_MAX_PER_CLASS, _MAX_CLASSES = 1_000, 1_000_000


class SamplePanel(SetupPanel):
    """Draws the sample, or replaces it until the evaluation opens; a preview changes nothing.

    The form starts with the options of the current sample. Changing it clears the preview.
    """

    replace_wanted = Signal()
    near_duplicates_wanted = Signal()

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, title="Sample", about=_ABOUT)
        self.state = label(wrap=True)
        self.datasets: dict[str, CheckBox] = {}
        self._boxes, self._datasets = QWidget(), QVBoxLayout()
        self.per_class = integer_field("Images per class", least=1, most=_MAX_PER_CLASS, value=1)
        self.classes = integer_field("Classes", least=0, most=_MAX_CLASSES, value=0, none="all")
        self.repeats = integer_field(
            "Images asked twice", least=0, most=round(100 * MAX_REPEATS), value=0, none="none"
        )
        self.repeats.setSuffix(" %")
        self.seed = integer_field("Seed", least=0, most=MAX_SEED, value=0)
        self.seed.setGroupSeparatorShown(False)
        self.skip_seen = CheckBox(appearance, "Skip images used for training or reference")
        self.shared_only = CheckBox(appearance, "Only classes that all chosen datasets have")
        self.allow_shortage = CheckBox(appearance, "Accept classes with too few images")
        self.preview = push_button("&Preview")
        self.draw = push_button(DRAW_SAMPLE)
        self.near_duplicates = push_button("&Near-duplicates…")
        self.near_duplicates.setToolTip(_NEAR_DUPLICATES)
        self.why_not = label(rank="caption")
        self.drawn = HintLabel(rank="body")
        self.refused = ErrorBanner(appearance)
        self.warned = ErrorBanner(appearance, BannerKind.WAITING)
        self.passed_over = text_table("Skipped", ("Reason", "Dataset", "Image or class"))
        self._sample: Sample | None = None
        self._seed_is_ours = True
        self._may_draw = False
        self._previewed: SamplePreviewView | None = None
        self._lay_out()
        self._connect()

    def render_facts(self, facts: SetupFacts) -> None:
        self._render_datasets(facts)
        if self._seed_is_ours:
            self._seed_is_ours = False
            self.seed.setValue(facts.made.seed)
        if facts.sample is not None and facts.sample != self._sample:
            self._fill(facts.sample.request)
        self._sample = facts.sample
        state = facts.study.states[Phase.EVALUATE]
        self._render_changeable(state is PhaseState.CLOSED)
        self._see_datasets()
        drawn = self._sample is not None
        self.draw.setText(REPLACE_SAMPLE if drawn else DRAW_SAMPLE)
        self.state.setText(self._state_text(state))

    def _state_text(self, state: PhaseState) -> str:
        if not self.datasets:
            return NOTHING_TO_DRAW
        if self._sample is None:
            return NO_SAMPLE
        held = count_noun(self._sample.images, "image")
        request = self._sample.request
        changes = (
            "You can replace it until the evaluation opens."
            if state is PhaseState.CLOSED
            else f"It can't be replaced, because the evaluation is {state}."
        )
        return (
            f"The sample has {held} from {', '.join(request.datasets)}, drawn with seed "
            f"{request.seed}. {changes}"
        )

    def _fill(self, request: SampleRequest) -> None:
        """Fill the form with the options of the sample."""
        for name, box in self.datasets.items():
            box.setChecked(name in request.datasets)
        self.per_class.setValue(request.per_class)
        self.classes.setValue(request.class_count or 0)
        self.repeats.setValue(round(100 * request.repeats))
        self.seed.setValue(request.seed)

    def _render_changeable(self, may_draw: bool) -> None:
        """Disable the form if the sample is final; its values stay visible."""
        self._may_draw = may_draw
        for part in (self._boxes, self.per_class, self.classes, self.repeats, self.seed):
            part.setEnabled(may_draw)
        for row in (self.skip_seen, self.shared_only, self.allow_shortage, self._buttons):
            self._form.setRowVisible(row, may_draw)

    def _connect(self) -> None:
        self.preview.clicked.connect(self._preview)
        self.draw.clicked.connect(self._request_draw)
        self.near_duplicates.clicked.connect(self.near_duplicates_wanted)
        for changed in (
            self.per_class.valueChanged,
            self.classes.valueChanged,
            self.repeats.valueChanged,
            self.seed.valueChanged,
            self.skip_seen.toggled,
            self.shared_only.toggled,
        ):
            changed.connect(lambda _value: self._change())
        self.allow_shortage.toggled.connect(lambda _on: self._show_previewed())

    def _change(self) -> None:
        """Clear the preview, which was for other options."""
        self._clear_preview()
        self._see_datasets()

    def _see_datasets(self) -> None:
        """Enable the buttons if at least one dataset is chosen."""
        any_chosen = any(box.isChecked() for box in self.datasets.values())
        self.draw.setEnabled(self._may_draw and any_chosen)
        self.preview.setEnabled(any_chosen)
        self.why_not.setText("" if any_chosen else NO_DATASET_CHOSEN)
        for part in (self.draw, self.preview):
            part.setToolTip(self.why_not.text())

    def _render_datasets(self, facts: SetupFacts) -> None:
        names = [d.name for d in facts.datasets if d.role is DatasetRole.EVALUATION and d.complete]
        self._form.setRowVisible(self._boxes, bool(names))
        if list(self.datasets) == names:
            return
        kept = {name: box.isChecked() for name, box in self.datasets.items()}
        for box in self.datasets.values():
            box.deleteLater()
        self.datasets = {name: CheckBox(self._appearance, name) for name in names}
        for name, box in self.datasets.items():
            box.setChecked(kept.get(name, self._sample is None))
            box.toggled.connect(lambda _on: self._change())
            self._datasets.addWidget(box)

    def _request(self) -> SampleRequest:
        return SampleRequest(
            datasets=tuple(name for name, box in self.datasets.items() if box.isChecked()),
            per_class=self.per_class.value(),
            seed=self.seed.value(),
            class_count=self.classes.value() or None,
            repeats=self.repeats.value() / 100,
            shared_only=self.shared_only.isChecked(),
        )

    def _preview(self) -> None:
        request, skip_seen = self._request(), self.skip_seen.isChecked()
        self._clear_preview()
        self._set_up.watch(
            lambda progress: self._set_up.study_setup.preview_sample(
                request, skip_seen=skip_seen, progress=progress
            ),
            done=self._show,
        )

    def _show(self, view: SamplePreviewView) -> None:
        self._previewed = view
        self._show_previewed()
        self.ensure_visible_wanted.emit(self.drawn)

    def _show_previewed(self) -> None:
        view = self._previewed
        if view is None:
            return
        accepted = self.allow_shortage.isChecked()
        in_the_way = (
            view.refused if accepted or not view.shortage else (*view.refused, view.shortage)
        )
        self.drawn.setText("\n".join(view.drawn))
        self._form.setRowVisible(self.drawn, bool(view.drawn))
        self.refused.say("\n".join(in_the_way))
        self.warned.say("\n".join(view.warnings))
        fill_table(
            self.passed_over, [(each.why, each.dataset, each.what) for each in view.passed_over]
        )
        self.passed_over.setVisible(bool(view.passed_over))

    def _clear_preview(self) -> None:
        self._previewed = None
        self.drawn.setText("")
        self._form.setRowVisible(self.drawn, False)
        for part in (self.refused, self.warned):
            part.say("")
        self.passed_over.hide()

    def _request_draw(self) -> None:
        """Draw the sample, after a confirmation if one would be replaced."""
        if self._sample is not None:
            self.replace_wanted.emit()
        else:
            self.draw_sample()

    def draw_sample(self) -> None:
        """Draw the sample, replacing an earlier one."""
        request, skip_seen = self._request(), self.skip_seen.isChecked()
        allow_shortage = self.allow_shortage.isChecked()
        self._clear_preview()
        self._set_up.do(
            lambda progress: self._set_up.study_setup.freeze_sample(
                request, skip_seen=skip_seen, allow_shortage=allow_shortage, progress=progress
            )
        )

    def _lay_out(self) -> None:
        frame, form = form_card()
        self._form = form
        self._boxes.setLayout(self._datasets)
        self._datasets.setContentsMargins(0, 0, 0, 0)
        form.add("Draw from", self._boxes)
        form.add("Per class", row_layout(self.per_class, stretch=False))
        form.add("Classes", row_layout(self.classes, stretch=False))
        form.add(
            "Asked twice", with_hint(row_layout(self.repeats, stretch=False), HintLabel(_REPEATS))
        )
        form.add("Seed", with_hint(row_layout(self.seed, stretch=False), HintLabel(_SEED)))
        form.add("", self.skip_seen)
        form.add("", self.shared_only)
        form.add("", self.allow_shortage)
        self._buttons = row_layout(
            self.preview, self.draw, self.near_duplicates, self.why_not, stretch=False
        )
        form.add("", self._buttons)
        form.add("", self.drawn)
        for part in (self.refused, self.warned, self.passed_over):
            form.addRow(part)
        self._clear_preview()
        self.column.addWidget(self.state)
        self.column.addWidget(frame)
