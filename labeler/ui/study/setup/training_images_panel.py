"""Adding training images, or drawing them from an evaluation dataset."""

from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.study.entities import DatasetRole
from labeler.core.text import count_noun
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.study.setup.form import HintLabel, WheelGuard, form_card
from labeler.ui.study.setup.images_panel import MAX_IMAGES_PER_CLASS, ImagesPanel
from labeler.ui.study.setup.setup_panel import integer_field, push_button, row_layout
from labeler.ui.window.theme import Appearance


class TrainingImagesPanel(ImagesPanel):
    """Training images come from a separate folder, or from an evaluation dataset."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, DatasetRole.TRAINING)
        self.pool = HintLabel(rank="muted")
        self.source = ChoiceBox(appearance, "Dataset to draw from")
        WheelGuard(self.source)
        self.count = integer_field(
            "Training images per class", least=1, most=MAX_IMAGES_PER_CLASS, value=10
        )
        self.draw = push_button("&Draw images")
        self._drawing, form = form_card()
        form.add("Draw from", row_layout(self.source, stretch=False))
        form.add("Per class", row_layout(self.count, stretch=False))
        form.add("", self.pool)
        form.add("", row_layout(self.draw, stretch=False))
        self.column.addWidget(self._drawing)
        self.draw.clicked.connect(self._draw)

    def render_facts(self, facts: SetupFacts) -> None:
        super().render_facts(facts)
        there = count_noun(facts.study.training_images, "image")
        self.pool.setText(
            f"The training pool has {there}. Images in the pool are never sampled, and can't be "
            "returned."
        )
        names = [d.name for d in facts.datasets if d.role is DatasetRole.EVALUATION and d.complete]
        if names != [self.source.itemText(place) for place in range(self.source.count())]:
            self.source.clear()
            self.source.addItems(names)
        self._drawing.setVisible(bool(names))

    def _draw(self) -> None:
        source, count = self.source.currentText(), self.count.value()
        self._set_up.do(
            lambda progress: self._set_up.study_setup.fill_pool(
                source, per_class=count, progress=progress
            )
        )
