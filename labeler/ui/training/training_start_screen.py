"""The training start page: resume a training, take a suggestion, or choose what to train on."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.classes.references import ClassThumbnails
from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.training.decks import SUGGESTED_ON_START_PAGE, TrainingDecks
from labeler.app.training.start import TrainingStart
from labeler.app.training.start_view import TrainingSourceView, TrainingStartView
from labeler.core.errors import RefusedError
from labeler.core.training.request import SavedFamily, TrainingRequest, TrainingSource
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.training.class_names_field import ClassNamesField
from labeler.ui.training.deck_tiles import SUGGESTED_ACTIONS, DeckSections, suggested_decks_grid
from labeler.ui.training.training_options import TrainingOptions
from labeler.ui.window.actions import bind_action, bind_scope
from labeler.ui.window.theme import Appearance

_FAMILY_COLUMNS = 2


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
            grid.addWidget(button, *divmod(number, _FAMILY_COLUMNS))
        layout.addLayout(grid)
        layout.addWidget(self.forget, alignment=Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)


_WIDTH = 1216
_OWN_CHOICE_WIDTH = 400
_DECK_COLUMNS = SUGGESTED_ON_START_PAGE
_SEVERAL = "Classes or branches, separated by commas"
_ONE = "Which class?"
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

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: TrainingStart,
        decks: TrainingDecks,
        pictures: ClassThumbnails[QImage],
    ) -> None:
        super().__init__(appearance, width=_WIDTH)
        self._presenter, self._keymap = presenter, keymap
        view = presenter.view
        self.error_banner = ErrorBanner(appearance)
        self.go_on = CommandButton(
            appearance, "Continue", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.suggested = suggested_decks_grid(
            appearance, keymap, decks.suggested, pictures, columns=_DECK_COLUMNS
        )
        self.decks = DeckSections(appearance, decks.sections, pictures, columns=_DECK_COLUMNS)
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
        self.suggested.wanted.connect(self.begin_wanted)
        self.decks.wanted.connect(self.begin_wanted)
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
        button = self._keyed(view.title, action, kind=ButtonKind.ROLE)
        button.setToolTip(view.caption)
        button.setAccessibleDescription(view.caption)
        button.setCheckable(True)
        button.setEnabled(view.enabled)
        button.clicked.connect(lambda: self._choose(view.source))
        return button

    def _keyed(self, text: str, action: Action, *, kind: ButtonKind) -> CommandButton:
        keys = self._keymap[action].keys[:1]
        return CommandButton(self._appearance, text, keys=keys, actions=[action], kind=kind)

    def _bind(self) -> None:
        presses: dict[Action, Callable[[], object]] = {
            action: partial(self.suggested.start, number)
            for number, action in enumerate(SUGGESTED_ACTIONS)
        }
        for source, button in self.sources.items():
            presses[_SOURCES[source]] = button.click
        presses[Action.BEGIN_TRAINING] = self.begin.click
        for key in bind_scope(self, self._keymap, Scope.TRAINING_START, presses).values():
            key.setAutoRepeat(False)

    def _lay_out(self, view: TrainingStartView) -> None:
        self.column.setSpacing(16)
        title = label("Train", rank="title")
        self.column.addLayout(hbox(title, stretch(1), self.home, self.progress))
        self.column.addWidget(self.error_banner)
        parts: list[QWidget] = [self.decks]
        if self.suggested.tiles:
            parts[:0] = [label("Suggested", rank="heading"), self.suggested]
        if view.going_on:
            parts.insert(0, _resume_card(view.going_on, self.go_on))
        else:
            self.go_on.setParent(self)
            self.go_on.hide()
        own = vbox(self._own_choice(), stretch(1))
        self.column.addLayout(hbox(grow(vbox(*parts, stretch(1))), own, spacing=24))

    def _own_choice(self) -> QFrame:
        """Return the card with every source, its options, and Start."""
        card = QFrame()
        card.setProperty("kind", "card")
        card.setFixedWidth(round(_OWN_CHOICE_WIDTH * self._appearance.text_scale))
        # Stacked, so that the page doesn't move when the choice changes.
        for part in (self._nothing_further, self.names, self.families):
            self._further.addWidget(part)
        vbox(
            label("Your own choice", rank="heading"),
            vbox(*self.sources.values(), spacing=4),
            self._further,
            self.manner,
            self.summary,
            self.begin,
            on=card,
            margins=(16, 12, 16, 16),
        )
        return card


def _resume_card(words: str, go_on: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("kind", "card")
    text = vbox(
        label("Resume training", rank="heading"), label(words, rank="caption", wrap=True), spacing=2
    )
    hbox(grow(text), go_on, on=card, margins=(16, 12, 16, 12))
    return card
