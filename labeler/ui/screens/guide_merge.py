"""The question of a merge: conflicts at the left, the page that comes of it at the right."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from labeler.app.key_names import Key
from labeler.app.presenters.guide_merge import MergeQuestion, MergeView
from labeler.ui.look import Look
from labeler.ui.widgets.conflict_card import ConflictCard
from labeler.ui.widgets.entry_button import EntryButton, Kind
from labeler.ui.widgets.guide_page import GuidePage
from labeler.ui.widgets.guide_pictures import GuidePictures
from labeler.ui.widgets.labels import label


class GuideMergeScreen(QWidget):
    """Asks until the person goes on with a text, or back to their own."""

    taken = Signal(str)
    left = Signal()

    def __init__(self, look: Look, pictures: GuidePictures) -> None:
        super().__init__()
        self._look = look
        self._question: MergeQuestion | None = None
        self._text = ""
        self.cards: list[ConflictCard] = []
        self.sentence = label(rank="body", wrap=True)
        self.preview = GuidePage(look, pictures)
        self.take = EntryButton(
            look, "Go on with this text", keys=[Key((), "Return")], kind=Kind.PRIMARY
        )
        self.back = EntryButton(look, "Back to my own text", keys=[Key((), "Esc")])
        self._column = QVBoxLayout()
        self._conflicts = QScrollArea()
        self._lay_out()
        self.take.clicked.connect(lambda: self.taken.emit(self._text))
        self.back.clicked.connect(self.left)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.left.emit)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def ask(self, question: MergeQuestion) -> None:
        """Ask about another merge."""
        self._question = question
        self._make_cards(question.view)
        question.listen(self.render_view)
        self.preview.verticalScrollBar().setValue(0)
        self.take.setFocus()

    def render_view(self, view: MergeView) -> None:
        self._text = view.text
        self.sentence.setText(view.sentence)
        self.preview.follow_page(view.html, title=f"Preview of {view.title}")

    def _make_cards(self, view: MergeView) -> None:
        for card in self.cards:
            self._column.removeWidget(card)
            card.deleteLater()
        self.cards = [
            ConflictCard(
                self._look,
                conflict,
                author=view.author,
                heading=f"Changed by both, {number} of {len(view.conflicts)}",
            )
            for number, conflict in enumerate(view.conflicts, start=1)
        ]
        for place, card in enumerate(self.cards):
            card.chosen.connect(self._choose)
            self._column.insertWidget(place, card)
        self._conflicts.setVisible(bool(self.cards))

    def _choose(self, place: int, choice: object) -> None:
        from labeler.guide.merge import Choice

        if self._question is not None and isinstance(choice, Choice):
            self._question.choose(place, choice)

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setObjectName("page_room")
        inner.setLayout(self._column)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(16)
        self._column.addStretch()
        self._conflicts.setObjectName("page")
        self._conflicts.setWidget(inner)
        self._conflicts.setWidgetResizable(True)
        self._conflicts.setFrameShape(QFrame.Shape.NoFrame)
        self._conflicts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setHandleWidth(16)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self._conflicts)
        halves.addWidget(self.preview)
        halves.setSizes([1000, 1000])
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.back)
        foot.addWidget(self.take)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 8)
        whole.setSpacing(16)
        whole.addWidget(label("Somebody else saved this page", rank="title"))
        whole.addWidget(self.sentence)
        whole.addWidget(halves, stretch=1)
        whole.addLayout(foot)
