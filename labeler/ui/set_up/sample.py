"""Drawing the evaluation sample, with a look at it before it counts."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.app.presenters.set_up import SetUp
from labeler.app.setting_up.facts import SetUpFacts
from labeler.app.setting_up.preview import PreviewTold
from labeler.core.drawing import LARGEST_SEED
from labeler.core.naming import counted
from labeler.core.phases import Phase, PhaseState
from labeler.core.sampling import SampleRequest
from labeler.core.study import DatasetRole
from labeler.ui.look import Look
from labeler.ui.set_up.form import Hint, card
from labeler.ui.set_up.panel import SetUpPanel, button, fill, in_a_row, number, table
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.tick_box import TickBox
from labeler.ui.widgets.told import Told

_ABOUT = (
    "The images that every labeler classifies: the same number of each class from each dataset, "
    "drawn by a seed. The same seed draws the same images anywhere."
)
_MOST_PER_CLASS, _MOST_CLASSES = 1_000, 1_000_000


class SamplePanel(SetUpPanel):
    """A preview draws nothing; drawing replaces a sample until the evaluation opens."""

    replace_wanted = Signal()

    def __init__(self, look: Look, set_up: SetUp) -> None:
        super().__init__(look, set_up, title="Sample", about=_ABOUT)
        self.state = label(wrap=True)
        self.datasets: dict[str, TickBox] = {}
        self._boxes, self._datasets = QWidget(), QVBoxLayout()
        self.per_class = number("Images of each class", least=1, most=_MOST_PER_CLASS, value=1)
        self.classes = number("Classes", least=0, most=_MOST_CLASSES, value=0, none="all")
        self.seed = number("Seed", least=0, most=LARGEST_SEED, value=0)
        self.seed.setGroupSeparatorShown(False)
        self.skip_seen = TickBox(
            look, "Pass over pictures that are trained on or shown as references"
        )
        self.allow_shortage = TickBox(look, "Accept classes with too few images")
        self.preview = button("&Preview")
        self.draw = button("&Draw the sample")
        self.drawn = Hint(rank="body")
        self.refused = Told(look)
        self.warned = Told(look, icon="waiting", colour="accent")
        self.passed_over = table("Passed over", ("Why", "Dataset", "Which"))
        self._has_sample = False
        self._seed_is_ours = True
        self._may_draw = False
        self._lay_out()
        self.preview.clicked.connect(self._preview)
        self.draw.clicked.connect(self._wish_to_draw)

    def render_facts(self, facts: SetUpFacts) -> None:
        self._render_datasets(facts)
        sample = facts.sample
        self._has_sample = sample is not None
        begun = facts.study.states[Phase.EVALUATE] is not PhaseState.CLOSED
        self._may_draw = not begun
        self._see_datasets()
        self.draw.setText("&Replace the sample" if sample is not None else "&Draw the sample")
        if self._seed_is_ours:
            self._seed_is_ours = False
            self.seed.setValue(facts.made.seed)
        if not self.datasets:
            self.state.setText("There is nothing to draw from yet: add images to classify first.")
        elif sample is None:
            self.state.setText("No sample has been drawn.")
        else:
            held = counted(sample.images, "image")
            changes = "can't change any more" if begun else "can change until the evaluation opens"
            self.state.setText(
                f"The sample has {held} from {', '.join(sample.request.datasets)}, drawn with "
                f"seed {sample.request.seed}. It {changes}."
            )

    def _see_datasets(self) -> None:
        """There has to be something to draw from."""
        any_chosen = any(box.isChecked() for box in self.datasets.values())
        self.draw.setEnabled(self._may_draw and any_chosen)
        self.preview.setEnabled(any_chosen)

    def _render_datasets(self, facts: SetUpFacts) -> None:
        names = [d.name for d in facts.datasets if d.role is DatasetRole.EVALUATION and d.complete]
        self._form.setRowVisible(self._boxes, bool(names))
        if list(self.datasets) == names:
            return
        kept = {name: box.isChecked() for name, box in self.datasets.items()}
        for box in self.datasets.values():
            box.deleteLater()
        self.datasets = {name: TickBox(self._look, name) for name in names}
        for name, box in self.datasets.items():
            box.setChecked(kept.get(name, True))
            box.toggled.connect(lambda _on: self._see_datasets())
            self._datasets.addWidget(box)

    def _request(self) -> SampleRequest:
        return SampleRequest(
            datasets=tuple(name for name, box in self.datasets.items() if box.isChecked()),
            per_class=self.per_class.value(),
            seed=self.seed.value(),
            class_count=self.classes.value() or None,
        )

    def _preview(self) -> None:
        request, skip_seen = self._request(), self.skip_seen.isChecked()
        self._forget_preview()
        self._set_up.watch(
            lambda progress: self._set_up.desk.preview_sample(
                request, skip_seen=skip_seen, progress=progress
            ),
            done=self._show,
        )

    def _show(self, told: PreviewTold) -> None:
        accepted = self.allow_shortage.isChecked()
        in_the_way = (
            told.refused if accepted or not told.shortage else (*told.refused, told.shortage)
        )
        self.drawn.setText("\n".join(told.drawn))
        self._form.setRowVisible(self.drawn, bool(told.drawn))
        self.refused.say("\n".join(in_the_way))
        self.warned.say("\n".join(told.warnings))
        fill(self.passed_over, [(each.why, each.dataset, each.what) for each in told.passed_over])
        self.passed_over.setVisible(bool(told.passed_over))
        self.in_sight_wanted.emit(self.drawn)

    def _forget_preview(self) -> None:
        self.drawn.setText("")
        self._form.setRowVisible(self.drawn, False)
        for part in (self.refused, self.warned):
            part.say("")
        self.passed_over.hide()

    def _wish_to_draw(self) -> None:
        """Replacing a sample is asked about first."""
        if self._has_sample:
            self.replace_wanted.emit()
        else:
            self.draw_sample()

    def draw_sample(self) -> None:
        """Draw it in place of one that was there."""
        request, skip_seen = self._request(), self.skip_seen.isChecked()
        allow_shortage = self.allow_shortage.isChecked()
        self._forget_preview()
        self._set_up.do(
            lambda progress: self._set_up.desk.freeze_sample(
                request, skip_seen=skip_seen, allow_shortage=allow_shortage, progress=progress
            )
        )

    def _lay_out(self) -> None:
        frame, form = card()
        self._form = form
        self._boxes.setLayout(self._datasets)
        self._datasets.setContentsMargins(0, 0, 0, 0)
        form.add("From", self._boxes)
        form.add("Of each class", in_a_row(self.per_class, stretch=False))
        form.add("Classes", in_a_row(self.classes, stretch=False))
        form.add("Seed", in_a_row(self.seed, stretch=False))
        form.add("", self.skip_seen)
        form.add("", self.allow_shortage)
        form.add("", in_a_row(self.preview, self.draw, stretch=False))
        form.add("", self.drawn)
        for part in (self.refused, self.warned, self.passed_over):
            form.addRow(part)
        self._forget_preview()
        self.column.addWidget(self.state)
        self.column.addWidget(frame)
