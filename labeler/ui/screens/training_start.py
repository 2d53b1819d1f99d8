"""The page before a training: go on with one, take a suggestion, or choose what to train on."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.key_names import Key
from labeler.app.keymap import Action, Keymap
from labeler.app.presenters.training_start import TrainingStart
from labeler.app.presenters.training_start_views import (
    SourceView,
    SuggestedTraining,
    TrainingStartView,
)
from labeler.core.errors import Refused
from labeler.core.training import SavedFamily, Source, TrainingRequest
from labeler.ui.actions import bind_one
from labeler.ui.look import Look
from labeler.ui.widgets.entry_button import EntryButton, Kind
from labeler.ui.widgets.family_choice import FamilyChoice
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.names_field import NamesField
from labeler.ui.widgets.page import Page
from labeler.ui.widgets.told import Told
from labeler.ui.widgets.training_manner import TrainingManner

_WIDTH = 1040
_IN_ROW = 2
_SEVERAL = "Which classes or branches? Several between commas"
_ONE = "Which class?"


class TrainingStartScreen(Page):
    """Renders what can be trained on, and passes on what is asked for."""

    begin_wanted = Signal(TrainingRequest)
    continue_wanted = Signal()
    save_wanted = Signal(SavedFamily)
    forget_wanted = Signal(str)
    home_wanted = Signal()
    progress_wanted = Signal()

    def __init__(self, look: Look, keymap: Keymap, presenter: TrainingStart) -> None:
        super().__init__(look, width=_WIDTH)
        self._presenter, self._keymap = presenter, keymap
        view = presenter.view
        self.told = Told(look)
        self.go_on = EntryButton(look, "Continue", keys=[Key((), "Return")], kind=Kind.PRIMARY)
        self.suggested = [self._suggestion(each) for each in view.suggested]
        self.sources = {
            each.source: self._source(number, each)
            for number, each in enumerate(view.sources, start=1)
        }
        self.names = NamesField()
        self.families = FamilyChoice(look, view.families)
        self._nothing_further, self._further = QWidget(), QStackedWidget()
        self.manner = TrainingManner(look, view)
        self.summary = label(rank="body", wrap=True)
        self.begin = self._begin_button()
        way_home = keymap[Action.GO_HOME].keys[:1]
        self.home = EntryButton(look, "Home", keys=way_home, actions=[Action.GO_HOME])
        to_progress = keymap[Action.SHOW_PROGRESS]
        self.progress = EntryButton(
            look, "Training progress", keys=to_progress.keys[:1], actions=[Action.SHOW_PROGRESS]
        )
        bind_one(self, to_progress, self.progress_wanted.emit)
        self._lay_out(view)
        self._connect()
        self.render_view(view)
        self.rest_focus_on(self.go_on if view.going_on else self.begin)

    def render_view(self, view: TrainingStartView) -> None:
        self.sources[view.source].setChecked(True)
        self.manner.render_order(view.order)
        is_list = view.source is Source.SUBTREES
        self.names.render_names(
            view.typed,
            view.candidates,
            caption=_SEVERAL if is_list else _ONE,
            can_save=is_list and view.can_begin,
        )
        self._further.setCurrentWidget(self._further_of(view))
        self.families.choose(view.family)
        self.summary.setText(view.trouble or view.told)
        self.summary.setProperty("rank", "notice" if view.trouble else "body")
        self.summary.style().unpolish(self.summary)
        self.summary.style().polish(self.summary)
        self.begin.setEnabled(view.can_begin)

    def _further_of(self, view: TrainingStartView) -> QWidget:
        """What a source asks further."""
        if view.asks_for_names:
            return self.names
        return self.families if view.source is Source.FAMILY else self._nothing_further

    def say(self, sentence: str) -> None:
        """Tell why something wasn't done; an empty sentence takes it back."""
        self.told.say(sentence)

    # What the person does.

    def _begin(self) -> None:
        try:
            self.begin_wanted.emit(self._presenter.request())
        except Refused as refusal:
            self.say(str(refusal))

    def _choose(self, source: Source) -> None:
        self.render_view(self._presenter.choose(source))
        if self._presenter.view.asks_for_names:
            self.names.setFocus()

    def _save(self, name: str) -> None:
        try:
            wnids = self._presenter.chosen_classes()
        except Refused as refusal:
            self.say(str(refusal))
            return
        self.save_wanted.emit(SavedFamily(name.strip(), wnids, shared=False))

    def _connect(self) -> None:
        presenter = self._presenter
        together = QButtonGroup(self)
        for button in self.sources.values():
            together.addButton(button)
        self.go_on.clicked.connect(self.continue_wanted)
        self.begin.clicked.connect(self._begin)
        self.home.clicked.connect(self.home_wanted)
        self.progress.clicked.connect(self.progress_wanted)
        self.names.typed.connect(lambda text: self.render_view(presenter.type(text)))
        self.names.completed.connect(lambda wnid: self.render_view(presenter.complete(wnid)))
        self.names.entered.connect(self._begin)
        self.names.saved.connect(self._save)
        self.families.chosen.connect(lambda name: self.render_view(presenter.choose_family(name)))
        self.families.forgotten.connect(self.forget_wanted)
        manner = self.manner
        manner.length_typed.connect(lambda text: self.render_view(presenter.set_length(text)))
        manner.seed_typed.connect(lambda text: self.render_view(presenter.set_seed(text)))
        manner.order_chosen.connect(lambda order: self.render_view(presenter.set_order(order)))
        manner.entered.connect(self._begin)

    # Building.

    def _source(self, number: int, view: SourceView) -> EntryButton:
        key = Key(("Alt",), str(number))
        button = EntryButton(
            self._look, view.title, caption=view.caption, keys=[key], kind=Kind.ROLE
        )
        button.setCheckable(True)
        button.setEnabled(view.enabled)
        shortcut = QShortcut(QKeySequence(str(key)), self, button.click)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        button.clicked.connect(lambda: self._choose(view.source))
        return button

    def _suggestion(self, view: SuggestedTraining) -> EntryButton:
        icon = "waiting" if view.request.source is Source.DUE else "progress"
        button = EntryButton(
            self._look, view.title, caption=view.reason, icon=icon, kind=Kind.CHOICE
        )
        button.clicked.connect(lambda: self.begin_wanted.emit(view.request))
        return button

    def _begin_button(self) -> EntryButton:
        keys = self._keymap[Action.SUBMIT].keys
        button = EntryButton(
            self._look, "Begin", keys=keys[:1], actions=[Action.SUBMIT], kind=Kind.PRIMARY
        )
        key = QAction("Begin", self)
        key.setData(Action.SUBMIT)  # by which it is found when a person changes its keys
        key.setShortcuts([QKeySequence(str(each)) for each in keys])
        key.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        key.setAutoRepeat(False)
        key.triggered.connect(button.click)
        self.addAction(key)
        return button

    def _lay_out(self, view: TrainingStartView) -> None:
        self.column.setSpacing(16)
        self.column.addWidget(label("Train", rank="title"))
        self.column.addWidget(self.told)
        self.column.addLayout(self._at_once(view))
        across = QHBoxLayout()
        across.setSpacing(16)
        across.addWidget(self._what(), stretch=3)
        across.addWidget(self._how(), stretch=2)
        self.column.addLayout(across)
        ways = QHBoxLayout()
        ways.setSpacing(8)
        ways.addWidget(self.home)
        ways.addWidget(self.progress)
        ways.addStretch(1)
        self.column.addLayout(ways)

    def _at_once(self, view: TrainingStartView) -> QGridLayout:
        """What can be begun with one key: the training that waits, and what is suggested."""
        offered: list[QWidget] = [*self.suggested]
        if view.going_on:
            offered.insert(0, self._going_on(view.going_on))
        else:
            self.go_on.setParent(self)
            self.go_on.hide()
        grid = QGridLayout()
        grid.setSpacing(16)
        in_row = _in_row(offered)
        for number, widget in enumerate(offered):
            grid.addWidget(widget, number // in_row, number % in_row)
        for column in range(min(len(offered), in_row)):
            grid.setColumnStretch(column, 1)
        return grid

    def _going_on(self, words: str) -> QFrame:
        card, row = QFrame(), QHBoxLayout()
        card.setProperty("kind", "card")
        row.setContentsMargins(16, 12, 16, 12)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(label("A training waits", rank="heading"))
        column.addWidget(label(words, rank="caption"))
        row.addLayout(column)
        row.addStretch(1)
        row.addWidget(self.go_on)
        card.setLayout(row)
        return card

    def _what(self) -> QFrame:
        card, whole = _card("What to train on")
        grid = QGridLayout()
        grid.setSpacing(8)
        for number, button in enumerate(self.sources.values()):
            grid.addWidget(button, number // 2, number % 2)
            grid.setColumnStretch(number % 2, 1)
        whole.addLayout(grid)
        # One on top of the other, so that the page doesn't move with the choice.
        for part in (self._nothing_further, self.names, self.families):
            self._further.addWidget(part)
        whole.addWidget(self._further, stretch=1)
        return card

    def _how(self) -> QFrame:
        card, whole = _card("How")
        whole.addWidget(self.manner)
        whole.addStretch(1)
        whole.addWidget(self.summary)
        whole.addWidget(self.begin)
        return card


def _in_row(offered: list[QWidget]) -> int:
    """Three side by side, where they find room, so that no place stays empty."""
    needed = sum(widget.sizeHint().width() + 16 for widget in offered)
    return 3 if len(offered) == 3 and needed <= _WIDTH else _IN_ROW


def _card(title: str) -> tuple[QFrame, QVBoxLayout]:
    card = QFrame()
    card.setProperty("kind", "card")
    whole = QVBoxLayout(card)
    whole.setContentsMargins(16, 12, 16, 16)
    whole.setSpacing(8)
    whole.addWidget(label(title, rank="heading"))
    return card, whole
