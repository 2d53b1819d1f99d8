"""Merge a page: conflicts on the left, the resulting page on the right."""

from collections.abc import Sequence
from functools import partial
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from labeler.app.guide.merge import ConflictView, MergeView, PageMerge
from labeler.app.keymap import Action, Keymap, Scope
from labeler.core.classes.search.hits import TextSpan
from labeler.guide.diff import diff_words
from labeler.guide.three_way_merge import MergeChoice
from labeler.ui.guide.page_images import GuideImages
from labeler.ui.guide.page_view import GuidePageView
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, hsplit, stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

_WORDS = {MergeChoice.MINE: "Mine", MergeChoice.THEIRS: "Theirs", MergeChoice.BOTH: "Both"}
CHOICE_ACTIONS = {
    MergeChoice.MINE: Action.TAKE_MINE,
    MergeChoice.THEIRS: Action.TAKE_THEIRS,
    MergeChoice.BOTH: Action.TAKE_BOTH,
}
assert set(_WORDS) == set(CHOICE_ACTIONS) == set(MergeChoice), "every choice has a text and a key"
_NOTHING = "(removed)"
_TITLE = "Someone else saved this page"


class ConflictCard(QFrame):
    """Mine on the left, theirs on the right, three buttons below; keys apply to one card."""

    chosen = Signal(int, MergeChoice)
    pointed = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        conflict: ConflictView,
        *,
        author: str,
        heading: str,
    ) -> None:
        super().__init__()
        self._appearance, self._conflict = appearance, conflict
        self.setProperty("kind", "compared")
        self.buttons: dict[MergeChoice, CommandButton] = {}
        self._texts = (_text(), _text())
        self._group = QButtonGroup(self)
        vbox(
            label(heading, rank="number"),
            self._columns(author),
            self._choices(keymap),
            on=self,
            margins=(16, 12, 16, 12),
        )
        self.buttons[conflict.choice].setChecked(True)
        self._write()
        appearance.changed.connect(self._write)

    def set_current(self, current: bool) -> None:
        """Highlight the current card and show the keys on its buttons."""
        for button in self.buttons.values():
            button.show_keys(current)
        if self.property("current") is not current:
            self.setProperty("current", current)
            self.style().unpolish(self)
            self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.pointed.emit()

    def _choices(self, keymap: Keymap) -> QHBoxLayout:
        row = hbox(label("Take", rank="muted"))
        for choice, words in _WORDS.items():
            row.addWidget(self._button(keymap, choice, words))
        row.addStretch()
        return row

    def _button(self, keymap: Keymap, choice: MergeChoice, words: str) -> CommandButton:
        action = CHOICE_ACTIONS[choice]
        button = CommandButton(
            self._appearance,
            words,
            keys=keymap[action].keys[:1],
            actions=[action],
            kind=ButtonKind.ROLE,
        )
        button.setCheckable(True)
        button.clicked.connect(self.pointed)
        button.clicked.connect(lambda: self.chosen.emit(self._conflict.place, choice))
        self._group.addButton(button)
        self.buttons[choice] = button
        return button

    def _columns(self, author: str) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for column, (heading, text) in enumerate(zip(("You", author), self._texts, strict=True)):
            grid.addWidget(label(heading, rank="caption"), 0, column)
            grid.addWidget(text, 1, column, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(column, 1)
        return grid

    def _write(self) -> None:
        """Highlight what only one side has, in theme colours."""
        sides = self._conflict.mine.strip(), self._conflict.theirs.strip()
        theme = self._appearance.theme
        style = f"background-color: {theme.match}; color: {theme.on_match}"
        for shown, text, spans in zip(self._texts, sides, diff_words(*sides), strict=True):
            shown.setText(_highlighted_html(text, spans, style) if text else _NOTHING)


def _text() -> QLabel:
    made = label(wrap=True)
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _highlighted_html(text: str, spans: Sequence[TextSpan], style: str) -> str:
    """Return the text as HTML with line breaks and highlighted spans."""
    written, place = "", 0
    for span in spans:
        alone = escape(text[span.start : span.end])
        written += f'{escape(text[place : span.start])}<span style="{style}">{alone}</span>'
        place = span.end
    return (written + escape(text[place:])).replace("\n", "<br>")


class GuideMergeScreen(QWidget):
    """Shown until the person continues with a text or returns to their own."""

    taken = Signal(str)
    left = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap, pictures: GuideImages) -> None:
        super().__init__()
        self._appearance, self._keymap = appearance, keymap
        self._current = 0
        self._question: PageMerge | None = None
        self._text = ""
        self.cards: list[ConflictCard] = []
        self.sentence = label(rank="body", wrap=True)
        self.preview = GuidePageView(appearance, pictures)
        self.take = self._button("Continue with this text", Action.TAKE_MERGED, ButtonKind.PRIMARY)
        self.back = self._button("Back to my text", Action.LEAVE_MERGE, ButtonKind.PLAIN)
        self._column = QVBoxLayout()
        self._conflicts = QScrollArea()
        self._lay_out()
        self.take.clicked.connect(lambda: self.taken.emit(self._text))
        self.back.clicked.connect(self.left)
        for action in bind_scope(self, keymap, Scope.GUIDE_MERGE, self._keys()).values():
            # The key that saved the page may still be pressed.
            action.setAutoRepeat(False)

    def ask(self, question: PageMerge) -> None:
        """Show another merge."""
        self._question = question
        self._make_cards(question.view)
        question.listen(self.render_view)
        self.preview.verticalScrollBar().setValue(0)
        self._go_to(0)
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
                self._appearance,
                self._keymap,
                conflict,
                author=view.author,
                heading=f"Conflict {number} of {len(view.conflicts)}",
            )
            for number, conflict in enumerate(view.conflicts, start=1)
        ]
        for place, card in enumerate(self.cards):
            card.chosen.connect(self._choose)
            card.pointed.connect(lambda place=place: self._go_to(place))
            self._column.insertWidget(place, card)
        self._conflicts.setVisible(bool(self.cards))

    def _button(self, text: str, action: Action, kind: ButtonKind) -> CommandButton:
        keys = self._keymap[action].keys[:1]
        return CommandButton(self._appearance, text, keys=keys, actions=[action], kind=kind)

    def _keys(self) -> Handlers:
        return {
            **{action: partial(self._take, choice) for choice, action in CHOICE_ACTIONS.items()},
            Action.NEXT_CONFLICT: lambda: self._go_to(self._current + 1),
            Action.PREVIOUS_CONFLICT: lambda: self._go_to(self._current - 1),
            Action.TAKE_MERGED: self.take.click,
            Action.LEAVE_MERGE: self.left.emit,
        }

    def _take(self, choice: MergeChoice) -> None:
        """Choose a side for the current conflict by key, and go to the next."""
        if self.cards:
            self.cards[self._current].buttons[choice].click()
            self._go_to(self._current + 1)

    def _go_to(self, place: int) -> None:
        """Make a conflict the current one."""
        self._current = max(0, min(place, len(self.cards) - 1))
        for number, card in enumerate(self.cards):
            card.set_current(number == self._current)
        if self.cards:
            self._conflicts.ensureWidgetVisible(self.cards[self._current])

    def _choose(self, place: int, choice: object) -> None:
        if self._question is not None and isinstance(choice, MergeChoice):
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
        halves = hsplit(self._conflicts, self.preview, sizes=(1000, 1000))
        foot = hbox(stretch(1), self.back, self.take)
        vbox(
            label(_TITLE, rank="title"),
            self.sentence,
            grow(halves),
            foot,
            on=self,
            spacing=16,
            margins=(16, 16, 16, 8),
        )
