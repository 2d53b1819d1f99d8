"""The Models step: which models the study has, and a button to the Models screen."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy

from labeler.app.keymap import Action, Keymap
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.text import count_noun, join_some
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.setup_panel import SetupPanel, row_layout
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "Models classify the same images. Reviewers judge their first predictions, and the report "
    "compares their accuracy with people's. Labelers and reviewers never see which model predicted "
    "what. You can score models at any time, before or after the evaluation."
)
NO_MODELS = "No models yet."
NO_IMAGES_FOR_MODELS = "No models yet. Add images to classify first."


class ModelsSetupPanel(SetupPanel):
    """Says how many models there are; they are scored on the Models screen."""

    models_wanted = Signal()

    def __init__(self, appearance: Appearance, set_up: SetupPresenter, keymap: Keymap) -> None:
        super().__init__(appearance, set_up, title="Models", about=_ABOUT)
        self.state = label(wrap=True)
        self.go = CommandButton(
            appearance,
            "Open Models",
            icon="models",
            keys=keymap[Action.SHOW_MODELS].keys[:1],
            actions=[Action.SHOW_MODELS],
            kind=ButtonKind.PLAIN,
        )
        self.go.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.column.addWidget(self.state)
        self.column.addLayout(row_layout(self.go, stretch=False))
        self.go.clicked.connect(self.models_wanted)

    def render_facts(self, facts: SetupFacts) -> None:
        if facts.models:
            there = f"{count_noun(len(facts.models), 'model')}: {join_some(facts.models)}."
        elif facts.study.evaluation_images:
            there = NO_MODELS
        else:
            there = NO_IMAGES_FOR_MODELS
        self.state.setText(there)
