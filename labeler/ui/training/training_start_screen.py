"""The training start page: resume a training, take a suggestion, or choose what to train on."""

from collections.abc import Callable, Sequence
from itertools import zip_longest

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.training.start import TrainingStart
from labeler.app.training.start_view import (
    SuggestedTraining,
    TrainingSourceView,
    TrainingStartView,
)
from labeler.core.errors import RefusedError
from labeler.core.training.request import SavedFamily, TrainingRequest, TrainingSource
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.training.class_names_field import ClassNamesField
from labeler.ui.training.training_options import TrainingOptions
from labeler.ui.window.actions import bind_action, bind_scope
from labeler.ui.window.theme import Appearance

_CARDS_PER_ROW = 2
_GAP = 16


def start_cards(
    going_on: str, go_on: QWidget, *, suggested: Sequence[QWidget], width: int
) -> QGridLayout:
    """Return a grid of cards; the card of the unfinished training comes first, if there is one."""
    offered: list[QWidget] = [*([_resume_card(going_on, go_on)] if going_on else []), *suggested]
    grid = QGridLayout()
    grid.setSpacing(_GAP)
    in_row = _cards_in_row(offered, width)
    # Rather than leave an empty place, the first card fills a row.
    spare = -len(offered) % in_row
    for number, widget in enumerate(offered):
        place = number + spare if number else 0
        span = spare + 1 if number == 0 else 1
        grid.addWidget(widget, place // in_row, place % in_row, 1, span)
    for column in range(min(len(offered), in_row)):
        grid.setColumnStretch(column, 1)
    return grid


def _resume_card(words: str, go_on: QWidget) -> QFrame:
    card, row = QFrame(), QHBoxLayout()
    card.setProperty("kind", "card")
    row.setContentsMargins(16, 12, 16, 12)
    column = QVBoxLayout()
    column.setSpacing(2)
    column.addWidget(label("Resume training", rank="heading"))
    column.addWidget(label(words, rank="caption", wrap=True))
    row.addLayout(column, stretch=1)
    row.addWidget(go_on)
    card.setLayout(row)
    return card


def _cards_in_row(offered: Sequence[QWidget], width: int) -> int:
    """Return how many cards are in a row: up to three, without an empty place if possible."""
    needed = sum(widget.sizeHint().width() + _GAP for widget in offered)
    return 3 if len(offered) == 3 and needed <= width else _CARDS_PER_ROW


_COLUMNS = 2


class FamilyPicker(QWidget):
    """Shows the families by name."""

    chosen = Signal(str)
    forgotten = Signal(str)

    def __init__(self, appearance: Appearance, names: tuple[str, ...]) -> None:
        super().__init__()
        self._chosen = ""
        self.buttons = {
            name: CommandButton(appearance, name, kind=ButtonKind.ROLE) for name in names
        }
        self.forget = QPushButton("Delete this family")
        self.forget.setAutoDefault(False)
        together = QButtonGroup(self)
        for name, button in self.buttons.items():
            button.setCheckable(True)
            together.addButton(button)
            button.clicked.connect(lambda _checked=False, name=name: self.chosen.emit(name))
        self.forget.clicked.connect(lambda: self.forgotten.emit(self._chosen))
        self._lay_out()

    def choose(self, name: str) -> None:
        self._chosen = name
        if name in self.buttons:
            self.buttons[name].setChecked(True)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label("Which family?", rank="caption"))
        grid = QGridLayout()
        grid.setSpacing(8)
        for number, button in enumerate(self.buttons.values()):
            grid.addWidget(button, number // _COLUMNS, number % _COLUMNS)
        layout.addLayout(grid)
        layout.addWidget(self.forget, alignment=Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)


_WIDTH = 1040
_SEVERAL = "Classes or branches, separated by commas"
_ONE = "Which class?"
_SUGGESTED = (Action.SUGGESTED_1, Action.SUGGESTED_2, Action.SUGGESTED_3)
_SOURCES = {
    TrainingSource.EVERYTHING: Action.TRAIN_ON_EVERYTHING,
    TrainingSource.SUBTREES: Action.TRAIN_ON_BRANCHES,
    TrainingSource.FAMILY: Action.TRAIN_ON_FAMILY,
    TrainingSource.MISTAKES: Action.TRAIN_ON_MISTAKES,
    TrainingSource.LOOK_ALIKES: Action.TRAIN_ON_LOOK_ALIKES,
    TrainingSource.DUE: Action.TRAIN_ON_DUE,
}
assert set(_SOURCES) == set(TrainingSource), "every source has its key"


class TrainingStartScreen(Page):
    """Shows what can be trained on, and emits what is requested."""

    begin_wanted = Signal(TrainingRequest)
    continue_wanted = Signal()
    save_wanted = Signal(SavedFamily)
    forget_wanted = Signal(str)
    home_wanted = Signal()
    progress_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap, presenter: TrainingStart) -> None:
        super().__init__(appearance, width=_WIDTH)
        self._presenter, self._keymap = presenter, keymap
        view = presenter.view
        self.error_banner = ErrorBanner(appearance)
        self.go_on = CommandButton(
            appearance, "Continue", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.suggested = [
            self._suggestion(each, action)
            for each, action in zip_longest(view.suggested, _SUGGESTED)
            if each is not None
        ]
        self.sources = {each.source: self._source(each) for each in view.sources}
        self.names = ClassNamesField()
        self.families = FamilyPicker(appearance, view.families)
        self._nothing_further, self._further = QWidget(), QStackedWidget()
        self.manner = TrainingOptions(appearance, view)
        self.summary = label(rank="body", wrap=True)
        self.begin = self._keyed("Start", Action.BEGIN_TRAINING, kind=ButtonKind.PRIMARY)
        way_home = keymap[Action.GO_HOME].keys[:1]
        self.home = CommandButton(appearance, "Home", keys=way_home, actions=[Action.GO_HOME])
        to_progress = keymap[Action.SHOW_PROGRESS]
        self.progress = CommandButton(
            appearance,
            "Training progress",
            keys=to_progress.keys[:1],
            actions=[Action.SHOW_PROGRESS],
        )
        bind_action(self, to_progress, self.progress_wanted.emit)
        self._bind()
        self._lay_out(view)
        self._connect()
        self.render_view(view)
        self.set_initial_focus(self.go_on if view.going_on else self.begin)

    def render_view(self, view: TrainingStartView) -> None:
        self.sources[view.source].setChecked(True)
        self.manner.render_order(view.order)
        is_list = view.source is TrainingSource.SUBTREES
        self.names.render_names(
            view.typed,
            view.candidates,
            caption=_SEVERAL if is_list else _ONE,
            can_save=is_list and view.can_begin,
        )
        self._further.setCurrentWidget(self._further_of(view))
        self.families.choose(view.family)
        self.summary.setText(view.problem or view.summary)
        self.summary.setProperty("rank", "notice" if view.problem else "body")
        self.summary.style().unpolish(self.summary)
        self.summary.style().polish(self.summary)
        self.begin.setEnabled(view.can_begin)

    def _further_of(self, view: TrainingStartView) -> QWidget:
        """Return the widget with a source's further options."""
        if view.asks_for_names:
            return self.names
        return self.families if view.source is TrainingSource.FAMILY else self._nothing_further

    def say(self, sentence: str) -> None:
        """Show why something wasn't done; an empty sentence clears it."""
        self.error_banner.say(sentence)

    # What the person does.

    def _begin(self) -> None:
        try:
            self.begin_wanted.emit(self._presenter.request())
        except RefusedError as refusal:
            self.say(str(refusal))

    def _choose(self, source: TrainingSource) -> None:
        self.render_view(self._presenter.choose(source))
        if self._presenter.view.asks_for_names:
            self.names.begin()

    def _save(self, name: str) -> None:
        try:
            wnids = self._presenter.chosen_classes()
        except RefusedError as refusal:
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

    def _source(self, view: TrainingSourceView) -> CommandButton:
        action = _SOURCES[view.source]
        button = self._keyed(view.title, action, caption=view.caption, kind=ButtonKind.ROLE)
        button.setCheckable(True)
        button.setEnabled(view.enabled)
        button.clicked.connect(lambda: self._choose(view.source))
        return button

    def _suggestion(self, view: SuggestedTraining, action: Action | None) -> CommandButton:
        icon = "waiting" if view.request.source is TrainingSource.DUE else "progress"
        button = self._keyed(
            view.title, action, caption=view.reason, icon=icon, kind=ButtonKind.CHOICE
        )
        button.clicked.connect(lambda: self.begin_wanted.emit(view.request))
        return button

    def _keyed(
        self,
        text: str,
        action: Action | None,
        *,
        kind: ButtonKind,
        caption: str = "",
        icon: str = "",
    ) -> CommandButton:
        """Return a button that shows its key, if the suggestion has one."""
        return CommandButton(
            self._appearance,
            text,
            caption=caption,
            icon=icon,
            keys=self._keymap[action].keys[:1] if action else (),
            actions=[action] if action else (),
            kind=kind,
        )

    def _bind(self) -> None:
        presses: dict[Action, Callable[[], object]] = dict.fromkeys(_SUGGESTED, lambda: None)
        for action, button in zip(_SUGGESTED, self.suggested, strict=False):
            presses[action] = button.click
        for source, button in self.sources.items():
            presses[_SOURCES[source]] = button.click
        presses[Action.BEGIN_TRAINING] = self.begin.click
        for key in bind_scope(self, self._keymap, Scope.TRAINING_START, presses).values():
            key.setAutoRepeat(False)

    def _lay_out(self, view: TrainingStartView) -> None:
        self.column.setSpacing(16)
        self.column.addWidget(label("Train", rank="title"))
        self.column.addWidget(self.error_banner)
        if not view.going_on:
            self.go_on.setParent(self)
            self.go_on.hide()
        self.column.addLayout(
            start_cards(view.going_on, self.go_on, suggested=self.suggested, width=_WIDTH)
        )
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

    def _what(self) -> QFrame:
        card, layout = _card("What to train on")
        grid = QGridLayout()
        grid.setSpacing(8)
        widest = max(button.sizeHint().width() for button in self.sources.values())
        for number, button in enumerate(self.sources.values()):
            grid.addWidget(button, number // 2, number % 2)
            # All equally wide.
            grid.setColumnStretch(number % 2, 1)
            grid.setColumnMinimumWidth(number % 2, widest)
        layout.addLayout(grid)
        # Stacked, so that the page doesn't move when the choice changes.
        for part in (self._nothing_further, self.names, self.families):
            self._further.addWidget(part)
        layout.addWidget(self._further, stretch=1)
        return card

    def _how(self) -> QFrame:
        card, layout = _card("Options")
        layout.addWidget(self.manner)
        layout.addStretch(1)
        layout.addWidget(self.summary)
        layout.addWidget(self.begin)
        return card


def _card(title: str) -> tuple[QFrame, QVBoxLayout]:
    card = QFrame()
    card.setProperty("kind", "card")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(16, 12, 16, 16)
    layout.setSpacing(8)
    layout.addWidget(label(title, rank="heading"))
    return card, layout
