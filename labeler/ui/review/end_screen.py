"""The end of a review: all labels are judged; some images may need a second check."""

from PySide6.QtCore import Signal

from labeler.app.keymap import Action, Key, Keymap
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import hbox, stretch
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_WIDTH = 640
_ALL = "All labels are judged. Thank you."
_KEPT = "Your verdicts are saved. You can change them until the lead locks the review."


class ReviewEndScreen(Page):
    """Shows the progress and what to do next."""

    images_wanted = Signal()
    home_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap, *, checks: int) -> None:
        """`checks` is the number of open second checks."""
        super().__init__(appearance, width=_WIDTH)
        self.heading = label(_ALL, rank="title", wrap=True)
        self.checks = label(_second_look(checks), wrap=True)
        first, then = (
            (ButtonKind.PRIMARY, ButtonKind.PLAIN)
            if checks
            else (ButtonKind.PLAIN, ButtonKind.PRIMARY)
        )
        words = "Check them" if checks > 1 else "Check it" if checks else "Review verdicts"
        enter = [Key((), "Return")]
        self.images = CommandButton(appearance, words, kind=first, keys=enter if checks else [])
        way_home = keymap[Action.GO_HOME].keys[:1] if checks else enter
        to_home = [Action.GO_HOME] if checks else []
        self.home = CommandButton(appearance, "Home", kind=then, keys=way_home, actions=to_home)
        self.column.addWidget(self.heading)
        if checks:
            self.column.addWidget(self.checks)
        self.column.addWidget(label(_KEPT, rank="muted", wrap=True))
        row = hbox(self.images, self.home, stretch(), spacing=16)
        # A button without a key would be lower than its neighbour.
        self.images.setMinimumHeight(self.home.sizeHint().height())
        self.column.addLayout(row)
        self.home.clicked.connect(self.home_wanted)
        self.images.clicked.connect(self.images_wanted)
        self.set_initial_focus(self.images if checks else self.home)


def _second_look(checks: int) -> str:
    if checks == 1:
        return "One image needs a second check: is anything wrong with it?"
    return f"{checks:,} images need a second check: is anything wrong with them?"
