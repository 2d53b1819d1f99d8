"""The end of a review: every label is judged, and perhaps some pictures want a second look."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from labeler.app.key_names import Key
from labeler.ui.look import Look
from labeler.ui.widgets.entry_button import EntryButton, Kind
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.page import Page

_WIDTH = 640
_ALL = "You have judged every label that was put to you. Thank you."
_KEPT = "Your verdicts are kept. You can change them until the lead locks the review."


class ReviewEndScreen(Page):
    """Says how far the reviewer has come, and leads on."""

    images_wanted = Signal()
    home_wanted = Signal()

    def __init__(self, look: Look, *, checks: int) -> None:
        """`checks` are pictures put to the reviewer that they haven't looked at yet."""
        super().__init__(look, width=_WIDTH)
        self.heading = label(_second_look(checks) if checks else _ALL, rank="title", wrap=True)
        first, then = (Kind.PRIMARY, Kind.PLAIN) if checks else (Kind.PLAIN, Kind.PRIMARY)
        words = "Look at them" if checks > 1 else "Look at it" if checks else "Look back"
        enter = [Key((), "Return")]
        self.images = EntryButton(look, words, kind=first, keys=enter if checks else [])
        self.home = EntryButton(look, "Home", kind=then, keys=[] if checks else enter)
        self.column.addWidget(self.heading)
        self.column.addWidget(label(_KEPT, rank="muted", wrap=True))
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.images)
        row.addWidget(self.home)
        row.addStretch()
        self.column.addLayout(row)
        self.home.clicked.connect(self.home_wanted)
        self.images.clicked.connect(self.images_wanted)
        self.rest_focus_on(self.images if checks else self.home)


def _second_look(checks: int) -> str:
    wait = "One picture waits" if checks == 1 else f"{checks:,} pictures wait"
    return f"Every label is judged. {wait} for a second look."
