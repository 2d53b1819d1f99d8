"""The end of a review: everything is judged, or what is left has to be judged by image."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from labeler.app.presenters.review_views import ReviewProgress
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

    def __init__(self, look: Look, progress: ReviewProgress) -> None:
        super().__init__(look, width=_WIDTH)
        left = progress.left
        pairs = "1 label is" if left == 1 else f"{left:,} labels are"
        heading = f"{pairs} asked a second time, image by image." if left else _ALL
        self.heading = label(heading, rank="title", wrap=True)
        self.home = EntryButton(look, "Home", kind=Kind.PLAIN if left else Kind.PRIMARY)
        kind = Kind.PRIMARY if left else Kind.PLAIN
        self.images = EntryButton(look, "Judge them" if left else "Look back", kind=kind)
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
        self.rest_focus_on(self.images if left else self.home)
