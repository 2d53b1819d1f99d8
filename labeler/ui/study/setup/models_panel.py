"""The models as a step: what the study has of them, and the way to where they are scored."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy

from labeler.app.keymap import Action, Keymap
from labeler.app.study.setup.facts import SetUpFacts
from labeler.app.study.setup.setup import SetUp
from labeler.core.text import counted, some
from labeler.ui.kit.input.command_button import EntryButton, Kind
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.setup_panel import SetUpPanel, in_a_row
from labeler.ui.window.look import Look

_ABOUT = (
    "Models classify the same images. Their first predictions become labels for reviewers to "
    "judge, and their accuracies stand beside the people's in the report. Labelers and reviewers "
    "never see what a model said. They can be scored at any time, before or after the evaluation."
)


class ModelsPanel(SetUpPanel):
    """Tells how many models there are; scoring has a screen of its own."""

    models_wanted = Signal()

    def __init__(self, look: Look, set_up: SetUp, keymap: Keymap) -> None:
        super().__init__(look, set_up, title="Models", about=_ABOUT)
        self.state = label(wrap=True)
        self.go = EntryButton(
            look,
            "Open Models",
            icon="models",
            keys=keymap[Action.SHOW_MODELS].keys[:1],
            actions=[Action.SHOW_MODELS],
            kind=Kind.PLAIN,
        )
        self.go.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.column.addWidget(self.state)
        self.column.addLayout(in_a_row(self.go, stretch=False))
        self.go.clicked.connect(self.models_wanted)

    def render_facts(self, facts: SetUpFacts) -> None:
        if facts.models:
            there = f"{counted(len(facts.models), 'model')}: {some(facts.models)}."
        elif facts.study.evaluation_images:
            there = "No model yet."
        else:
            there = "No model yet. They need images to classify: add those first."
        self.state.setText(there)
