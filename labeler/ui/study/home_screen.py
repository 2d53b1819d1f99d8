"""The home screen of a study: its phases, and what the person can do next."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.study.home import HomeView
from labeler.app.study.home_cards import HomeCardKind, HomeCardView
from labeler.app.study.lead_home import LeadStep
from labeler.app.study.setup.setup_step import SetupStep
from labeler.core.study.entities import Role
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.layout.flow_layout import FlowLayout, clear_layout
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import ElidedLabel, IconLabel, label
from labeler.ui.study.home_cards import DaysChart, HomeCard, HomeStepCard, NumbersCard
from labeler.ui.study.home_people import HealthPanel, LeadStepCard, PeopleTable
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

_WIDTH = 1216
_DECK_HEIGHT = 200


class HomeScreen(Page):
    """Renders the home screen and emits a signal for each button."""

    entered = Signal(HomeCardKind)
    classes_wanted = Signal()
    guide_wanted = Signal()
    rules_wanted = Signal()
    progress_wanted = Signal()
    discussion_wanted = Signal()
    reviewers_wanted = Signal()
    models_wanted = Signal()
    set_up_wanted = Signal()
    results_wanted = Signal()
    set_up_step_wanted = Signal(SetupStep)
    settings_wanted = Signal()
    role_wanted = Signal(Role)
    sign_out_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__(appearance, width=_WIDTH)
        self._keymap = keymap
        self._keys: dict[Action, QAction] = {}
        self.cards: dict[HomeCardKind, HomeCard | HomeStepCard] = {}
        self.step: LeadStepCard | None = None
        self.person = QToolButton()
        self.notice = ErrorBanner(appearance, BannerKind.WAITING)
        self.error_banner = ErrorBanner(appearance)
        self.classes = self._command_button("Look up classes", "search", Action.FIND_CLASS)
        self.guide = self._command_button("Guide", "guide", Action.SHOW_GUIDE)
        self.results = self._command_button("Save results…", "folder", Action.SAVE_RESULTS)
        self.rules = self._command_button("Rules", "contents", Action.SHOW_RULES)
        self.progress = self._command_button("Training progress", "progress", Action.SHOW_PROGRESS)
        self.discussion = self._command_button("Discussion", "discussion", Action.SHOW_DISCUSSION)
        self.set_up = self._command_button("Set up", "set_up", Action.SHOW_SET_UP)
        self.reviewers = self._command_button("Reviewers", "ticked", Action.SHOW_REVIEWERS)
        self.models = self._command_button("Models", "models", Action.SHOW_MODELS)
        self.settings = self._command_button("Settings", "settings", Action.SHOW_SETTINGS)
        self.study = ElidedLabel(rank="title")
        self._parts = QVBoxLayout()
        self._decks = QWidget()
        self._backup = _BackupStatus(appearance)
        self._lay_out()
        self._connect()

    def render_view(self, view: HomeView) -> None:
        self.study.setText(view.study_name)
        self._render_person(view)
        self._health: HealthPanel | None = None
        self._backup.show_state(view.backup, backed_up=view.backed_up)
        # The lead has it among the facts about the study's health.
        self._backup.setVisible(not view.is_lead)
        self.notice.say(view.notice)
        self.rules.setVisible(view.has_rules)
        self.results.setVisible(view.saves_results)
        for button in (self.progress, self.discussion):
            button.setVisible(view.looks_back)
        for button in (self.classes, self.guide):
            button.setVisible(view.looks_up)
        for button in (self.reviewers, self.models, self.set_up):
            button.setVisible(view.is_lead)
        for action, is_open in self._enabled_commands(view).items():
            self._keys[action].setVisible(is_open)
        self._clear()
        if view.is_lead:
            self._render_lead(view)
        else:
            self._render_own(view)
        self.set_initial_focus(self._main(view))

    @property
    def keeps_space_for_decks(self) -> bool:
        """Whether the person can train now."""
        train = self.cards.get(HomeCardKind.TRAIN)
        return isinstance(train, HomeCard) and train.button is not None

    def show_decks(self, decks: QWidget) -> None:
        """Show the decks to train with, in the space that is kept for them."""
        layout = self._decks.layout()
        if layout is not None:
            layout.addWidget(decks)

    def say(self, sentence: str) -> None:
        """Show why something wasn't done; an empty sentence clears it."""
        self.error_banner.say(sentence)

    def _enabled_commands(self, view: HomeView) -> dict[Action, bool]:
        """Return which role-specific commands are enabled, so that their keys can be disabled."""
        return {
            Action.SHOW_RULES: view.has_rules,
            Action.SAVE_RESULTS: view.saves_results,
            Action.FIND_CLASS: view.looks_up,
            Action.SHOW_GUIDE: view.looks_up,
            Action.SHOW_PROGRESS: view.looks_back,
            Action.SHOW_DISCUSSION: view.looks_back,
            Action.SHOW_REVIEWERS: view.is_lead,
            Action.SHOW_MODELS: view.is_lead,
            Action.SHOW_SET_UP: view.is_lead,
        }

    def _main(self, view: HomeView) -> QWidget:
        """Return the button to continue with, or the first command."""
        if self.step is not None:
            return self.step.button or self.classes
        button = None if view.main is None else self.cards[view.main].button
        return button or self.classes

    def _render_person(self, view: HomeView) -> None:
        self.person.setText(f" {view.code} · {view.role.value}")
        self.person.setAccessibleName(f"Signed in as {view.code}, {view.role.value}")
        menu = QMenu(self.person)
        for role in view.other_roles:
            change = menu.addAction(f"Switch to {role.value}")
            change.triggered.connect(lambda _checked=False, to=role: self.role_wanted.emit(to))
        menu.addAction("Sign out", self.sign_out_wanted.emit)
        before = self.person.menu()
        self.person.setMenu(menu)
        if before is not None:
            before.deleteLater()

    def _clear(self) -> None:
        clear_layout(self._parts)
        self.cards, self.step = {}, None
        self._decks = QWidget()
        vbox(on=self._decks)

    def _render_own(self, view: HomeView) -> None:
        """Show the main card over the full width, then training and the other cards."""
        main = view.main or next((card.card for card in view.cards), None)
        for card in sorted(view.cards, key=lambda card: card.card is not main):
            made = HomeCard(
                self._appearance,
                card,
                is_main=card.card is view.main,
                in_a_line=card.card is not main,
            )
            made.entered.connect(partial(self.entered.emit, card.card))
            self.cards[card.card] = made
            self._add(made)
            if card.card is HomeCardKind.EVALUATE and view.days:
                made.add_side(DaysChart(self._appearance, view.days))
            if card.card is HomeCardKind.TRAIN and card.button:
                self._decks.setMinimumHeight(round(_DECK_HEIGHT * self._appearance.text_scale))
                made.add_below(self._decks)
        self._add_below(view)

    def _add_below(self, view: HomeView) -> None:
        cards = []
        if view.week:
            card = NumbersCard(self._appearance, "This week", icon="progress", numbers=view.week)
            cards.append(card)
        if view.next_up:
            card = NumbersCard(
                self._appearance, "What comes next", icon="locked", sentence=view.next_up
            )
            cards.append(card)
        if cards:
            row = QWidget()
            hbox(*(grow(card) for card in cards), on=row, spacing=24)
            self._add(row)

    def _render_lead(self, view: HomeView) -> None:
        """Show the steps of the study, what comes next, the people and the health."""
        room = QWidget()
        steps = hbox(on=room, spacing=0)
        for number, card in enumerate(view.steps, start=1):
            steps.addWidget(self._step_card(card, number), stretch=1)
        self._add(room)
        if view.step is not None:
            self.step = LeadStepCard(self._appearance, view.step)
            self.step.wanted.connect(self._take_step)
            self._add(self.step)
        people = PeopleTable(self._appearance, view.people)
        health = self._health = HealthPanel(self._appearance, view.health)
        health.show_backup(view.backup, backed_up=view.backed_up)
        left = vbox(label("People", rank="heading"), people, stretch(), spacing=12)
        right = vbox(label("Health", rank="heading"), health, spacing=12)
        if view.other_work:
            right.addSpacing(12)
            right.addWidget(label("Other work", rank="heading"))
        for card in view.other_work:
            right.addWidget(self._step_card(card, None))
        right.addStretch()
        row = QWidget()
        hbox(grow(left, 3), grow(right, 2), on=row, spacing=24)
        self._add(row)

    def _step_card(self, card: HomeCardView, number: int | None) -> HomeStepCard:
        made = HomeStepCard(self._appearance, card, number=number)
        made.entered.connect(partial(self.entered.emit, card.card))
        self.cards[card.card] = made
        return made

    def show_backup(self, when: str, *, backed_up: bool) -> None:
        """Show when the last backup was made."""
        self._backup.show_state(when, backed_up=backed_up)
        if self._health is not None:
            self._health.show_backup(when, backed_up=backed_up)

    def _take_step(self, step: LeadStep) -> None:
        if step.opens_results:
            self.entered.emit(HomeCardKind.RESULTS)
        elif step.set_up is not None:
            self.set_up_step_wanted.emit(step.set_up)
        else:
            self.set_up_wanted.emit()

    def _add(self, part: QWidget) -> None:
        self._parts.addWidget(part)
        part.show()  # immediately, so that its button can get the focus

    def _lay_out(self) -> None:
        # The page of a labeler who trains and evaluates fits 1280 × 800.
        self.column.setSpacing(16)
        self._parts.setSpacing(16)
        self.column.addLayout(self._header())
        self.column.addWidget(self.error_banner)
        self.column.addWidget(self.notice)
        self.column.addLayout(self._parts)
        commands = QWidget()
        # The full width, as a lead's buttons fill a line at the default text size.
        flow = FlowLayout(commands, spacing=8)
        for button in (
            self.results,
            self.classes,
            self.guide,
            self.rules,
            self.progress,
            self.discussion,
            self.set_up,
            self.reviewers,
            self.models,
            self.settings,
        ):
            flow.addWidget(button)
        self.column.addWidget(commands)

    def _header(self) -> QHBoxLayout:
        self.person.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.person.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.person.setProperty("kind", "person")
        return hbox(
            IconLabel(self._appearance, "labeler", colour="accent", size=32),
            grow(self.study),
            self._backup,
            self.person,
            spacing=16,
        )

    def _command_button(self, text: str, name: str, action: Action) -> CommandButton:
        keys = self._keymap[action].keys
        button = CommandButton(self._appearance, text, icon=name, keys=keys[:1], actions=[action])
        if action is not Action.SHOW_SETTINGS:  # The window binds that key.
            key = QAction(text, self)
            key.setData(action)  # identifies it when a person changes its keys
            key.setShortcuts([QKeySequence(str(each)) for each in keys])
            key.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            key.triggered.connect(lambda _checked=False: self._press(button))
            self.addAction(key)
            self._keys[action] = key
        return button

    def _press(self, command: CommandButton) -> None:
        """Click the command's button, unless it is hidden from this person."""
        if command.isVisibleTo(self):
            command.click()

    def _connect(self) -> None:
        self.results.clicked.connect(self.results_wanted)
        self.classes.clicked.connect(self.classes_wanted)
        self.guide.clicked.connect(self.guide_wanted)
        self.rules.clicked.connect(self.rules_wanted)
        self.progress.clicked.connect(self.progress_wanted)
        self.discussion.clicked.connect(self.discussion_wanted)
        self.set_up.clicked.connect(self.set_up_wanted)
        self.reviewers.clicked.connect(self.reviewers_wanted)
        self.models.clicked.connect(self.models_wanted)
        self.settings.clicked.connect(self.settings_wanted)
        self._appearance.changed.connect(self._recolour)
        self._recolour()

    def _recolour(self) -> None:
        theme = self._appearance.theme
        self.person.setIcon(icon("person", colour=theme.text, background=theme.window))


class _BackupStatus(QWidget):
    """Shows when the last backup was made."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._icon = IconLabel(appearance, "open", colour="open", size=16)
        self._words = label(rank="muted")
        hbox(self._words, self._icon, on=self)

    def show_state(self, when: str, *, backed_up: bool) -> None:
        self._words.setText(f"Backups: {when}")
        name, colour = ("open", "open") if backed_up else ("waiting", "muted")
        self._icon.set_icon(name, colour=colour)
