"""What an annotator reads before a task, and when nothing is left."""

from PySide6.QtCore import Signal

from labeler.app.keymap import Key
from labeler.core.crowd.rounds import CrowdTask
from labeler.ui.crowd.classify_screen import CLASSIFY_RULES
from labeler.ui.crowd.contains_screen import RULES
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import hbox, stretch
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_WIDTH = 720
TITLES = {CrowdTask.CONTAINS: "Which images?", CrowdTask.CLASSIFY: "Which objects?"}
_TEXTS = {
    CrowdTask.CONTAINS: (
        "You see up to 48 images and the name of one class. Select every image that contains it.",
        RULES,
        "Examples for “dog”: a dog behind a fence counts, so does one of three dogs, or a dog's "
        "head at the edge. A drawing of a dog, a wolf, or an empty kennel don't.",
        "Some grids have no such image at all. If you can't judge a grid, return it.",
    ),
    CrowdTask.CLASSIFY: (
        "You see one image and a few labels. Tick every label that names an object in the image, "
        "and mark the one that names the main object.",
        CLASSIFY_RULES,
        "Examples: a cup on a desk with a laptop has three objects. An animal that is either a "
        "wolf or a husky is one object: tick the likelier label.",
    ),
}
assert set(_TEXTS) == set(CrowdTask), "every task is explained"
TEST_FIRST = (
    "A short test of eight images comes first. If it doesn't work out, you can try again with "
    "another class."
)
SAVED_TEXT = "Every answer is saved when you submit it. You can stop and continue at any time."
ALL_DONE = "Nothing is left for you to do. Thank you."
ALL_DONE_TEXT = "Your answers are saved. You can change them until the lead closes the round."


class ExplanationPage(Page):
    """The rules and examples of a task, and a button to begin."""

    begin_wanted = Signal()
    home_wanted = Signal()

    def __init__(self, appearance: Appearance, task: CrowdTask, *, test: bool) -> None:
        super().__init__(appearance, width=_WIDTH)
        self.column.addWidget(label(TITLES[task], rank="title"))
        for text in (*_TEXTS[task], *((TEST_FIRST,) if test else ()), SAVED_TEXT):
            self.column.addWidget(label(text, wrap=True))
        self.begin = CommandButton(
            appearance,
            "Start the test" if test else "Start",
            kind=ButtonKind.PRIMARY,
            keys=[Key((), "Return")],
        )
        self.home = CommandButton(appearance, "Home")
        self.home.setMinimumHeight(self.begin.sizeHint().height())
        self.column.addLayout(hbox(self.begin, self.home, stretch(), spacing=16))
        self.begin.clicked.connect(self.begin_wanted)
        self.home.clicked.connect(self.home_wanted)
        self.set_initial_focus(self.begin)


class AllDonePage(Page):
    """Shown when an annotator can get no further task."""

    home_wanted = Signal()
    back_wanted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance, width=_WIDTH)
        self.column.addWidget(label(ALL_DONE, rank="title", wrap=True))
        self.column.addWidget(label(ALL_DONE_TEXT, rank="muted", wrap=True))
        enter = [Key((), "Return")]
        self.home = CommandButton(appearance, "Home", kind=ButtonKind.PRIMARY, keys=enter)
        self.back = CommandButton(appearance, "Previous answers")
        self.back.setMinimumHeight(self.home.sizeHint().height())
        self.column.addLayout(hbox(self.home, self.back, stretch(), spacing=16))
        self.home.clicked.connect(self.home_wanted)
        self.back.clicked.connect(self.back_wanted)
        self.set_initial_focus(self.home)
