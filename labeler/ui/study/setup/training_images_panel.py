"""Adding images to train on, or drawing them out of what isn't evaluated."""

from labeler.app.study.setup.facts import SetUpFacts
from labeler.app.study.setup.setup import SetUp
from labeler.core.study.entities import DatasetRole
from labeler.core.text import counted
from labeler.ui.kit.input.choice_box import ChoiceBox
from labeler.ui.study.setup.form import Hint, WheelGuard, card
from labeler.ui.study.setup.images_panel import MOST_OF_A_CLASS, ImagesPanel
from labeler.ui.study.setup.setup_panel import button, in_a_row, number
from labeler.ui.window.look import Look


class TrainingPanel(ImagesPanel):
    """Training images come from a folder of their own, or out of what isn't evaluated."""

    def __init__(self, look: Look, set_up: SetUp) -> None:
        super().__init__(look, set_up, DatasetRole.TRAINING)
        self.pool = Hint(rank="muted")
        self.source = ChoiceBox(look, "Dataset to draw from")
        WheelGuard(self.source)
        self.count = number(
            "Images of each class to train on", least=1, most=MOST_OF_A_CLASS, value=10
        )
        self.draw = button("&Draw them")
        self._drawing, form = card()
        form.add("Or draw from", in_a_row(self.source, stretch=False))
        form.add("Of each class", in_a_row(self.count, stretch=False))
        form.add("", self.pool)
        form.add("", in_a_row(self.draw, stretch=False))
        self.column.addWidget(self._drawing)
        self.draw.clicked.connect(self._draw)

    def render_facts(self, facts: SetUpFacts) -> None:
        super().render_facts(facts)
        there = counted(facts.study.training_images, "image")
        self.pool.setText(
            f"The training pool holds {there}. What is drawn stays there, and is never sampled."
        )
        names = [d.name for d in facts.datasets if d.role is DatasetRole.EVALUATION and d.complete]
        if names != [self.source.itemText(place) for place in range(self.source.count())]:
            self.source.clear()
            self.source.addItems(names)
        self._drawing.setVisible(bool(names))

    def _draw(self) -> None:
        source, count = self.source.currentText(), self.count.value()
        self._set_up.do(
            lambda progress: self._set_up.desk.fill_pool(source, per_class=count, progress=progress)
        )
