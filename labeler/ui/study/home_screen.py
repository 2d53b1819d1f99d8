"""The home screen of a study: its phases, and what the person can do next."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Key, Keymap
from labeler.app.study.home import HomeCardKind, HomeCardView, HomeView
from labeler.core.study.entities import Role
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.layout.flow_layout import FlowLayout, clear_layout
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import ElidedLabel, IconLabel, label
from labeler.ui.study.labeler_table import LabelerTable
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

_MIN_HEIGHT = 144


class HomeCard(QFrame):
    """Shows a card, with its state as text, icon and colour."""

    entered = Signal()

    def __init__(self, appearance: Appearance, view: HomeCardView, *, is_main: bool) -> None:
        super().__init__()
        self._appearance = appearance
        self._view = view
        self._word = label(view.word)
        self.button = self._button(is_main) if view.button else None
        self.setProperty("kind", "card")
        self.setMinimumHeight(_MIN_HEIGHT)
        self.setAccessibleName(f"{view.title}: {view.word}")
        self.setAccessibleDescription(f"{view.number} {view.counted} {view.sentence}".strip())
        self._lay_out()
        appearance.changed.connect(self._recolour)
        self._recolour()

    def _button(self, is_main: bool) -> CommandButton:
        kind = ButtonKind.PRIMARY if is_main else ButtonKind.PLAIN
        made = _EntryCommandButton(
            self._appearance, self._view.button, keys=[Key((), "Return")], kind=kind
        )
        made.setAccessibleName(f"{self._view.button}: {self._view.title}")
        made.clicked.connect(self.entered)
        return made

    def _lay_out(self) -> None:
        layout = vbox(self._header(), on=self, margins=(16, 12, 16, 16))
        if self._view.number:
            layout.addLayout(self._numbers())
        if self._view.total:
            line = ProgressBar("Done")
            line.show_part(self._view.done, self._view.total)
            layout.addWidget(line)
        if self._view.facts:
            layout.addWidget(label(" · ".join(self._view.facts), wrap=True))
        layout.addWidget(label(self._view.sentence, rank="muted", wrap=True))
        layout.addStretch()
        if self.button is not None:
            layout.addWidget(self.button)

    def _header(self) -> QHBoxLayout:
        head = hbox(label(self._view.title, rank="heading"), stretch())
        state = self._view.state
        head.addWidget(IconLabel(self._appearance, state, colour=state, size=16))
        head.addWidget(self._word)
        return head

    def _numbers(self) -> QHBoxLayout:
        return hbox(
            label(self._view.number, rank="title"),
            label(self._view.counted, rank="muted"),
            stretch(),
        )

    def _recolour(self) -> None:
        colour = self._appearance.theme.colours[self._view.state]
        self._word.setStyleSheet(f"color: {colour}; font-weight: 600;")


class _EntryCommandButton(CommandButton):
    """Shows its key only while focused, since Enter presses the focused button."""

    def __init__(
        self, appearance: Appearance, text: str, *, keys: Sequence[Key], kind: ButtonKind
    ) -> None:
        super().__init__(appearance, text, keys=keys, kind=kind)
        self.show_keys(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.show_keys(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_keys(False)


_WIDTH = 1360


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
    settings_wanted = Signal()
    role_wanted = Signal(Role)
    sign_out_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__(appearance, width=_WIDTH)
        self._keymap = keymap
        self._keys: dict[Action, QAction] = {}
        self.cards: dict[HomeCardKind, HomeCard] = {}
        self.person = QToolButton()
        self.notice = ErrorBanner(appearance, BannerKind.WAITING)
        self.error_banner = ErrorBanner(appearance)
        self.classes = self._command_button("Look up classes", "search", Action.FIND_CLASS)
        self.guide = self._command_button("Guide", "guide", Action.SHOW_GUIDE)
        self.rules = self._command_button("Rules", "contents", Action.SHOW_RULES)
        self.progress = self._command_button("Training progress", "progress", Action.SHOW_PROGRESS)
        self.discussion = self._command_button("Discussion", "discussion", Action.SHOW_DISCUSSION)
        self.set_up = self._command_button("Set up", "set_up", Action.SHOW_SET_UP)
        self.set_up_next = CommandButton(
            appearance,
            "Set up the study",
            icon="set_up",
            keys=keymap[Action.SHOW_SET_UP].keys[:1],
            actions=[Action.SHOW_SET_UP],
            kind=ButtonKind.PRIMARY,
        )
        self.reviewers = self._command_button("Reviewers", "ticked", Action.SHOW_REVIEWERS)
        self.models = self._command_button("Models", "models", Action.SHOW_MODELS)
        self.settings = self._command_button("Settings", "settings", Action.SHOW_SETTINGS)
        self.study = ElidedLabel(rank="title")
        self._cards = QHBoxLayout()
        self._below = QVBoxLayout()
        self._backup = _BackupStatus(appearance)
        self._lay_out()
        self._connect()

    def render_view(self, view: HomeView) -> None:
        self.study.setText(view.study_name)
        self._render_person(view)
        self._render_cards(view)
        self._render_labelers(view)
        self._backup.show_state(view.backup, backed_up=view.backed_up)
        self.notice.say(view.notice)
        self.rules.setVisible(view.has_rules)
        for button in (self.progress, self.discussion):
            button.setVisible(view.looks_back)
        for button in (self.reviewers, self.models):
            button.setVisible(view.is_lead)
        # If setting up comes first, a large button replaces the small one.
        self.set_up_next.setVisible(view.is_set_up_next)
        self.set_up.setVisible(view.is_lead and not view.is_set_up_next)
        for action, is_open in self._enabled_commands(view).items():
            self._keys[action].setVisible(is_open)
        self.set_initial_focus(self.set_up_next if view.is_set_up_next else self._main(view))

    def say(self, sentence: str) -> None:
        """Show why something wasn't done; an empty sentence clears it."""
        self.error_banner.say(sentence)

    def _enabled_commands(self, view: HomeView) -> dict[Action, bool]:
        """Return which role-specific commands are enabled, so that their keys can be disabled."""
        return {
            Action.SHOW_RULES: view.has_rules,
            Action.SHOW_PROGRESS: view.looks_back,
            Action.SHOW_DISCUSSION: view.looks_back,
            Action.SHOW_REVIEWERS: view.is_lead,
            Action.SHOW_MODELS: view.is_lead,
            Action.SHOW_SET_UP: view.is_lead,
        }

    def _main(self, view: HomeView) -> QWidget:
        """Return the button to continue with, or the first command."""
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

    def _render_cards(self, view: HomeView) -> None:
        clear_layout(self._cards)
        self.cards = {
            card.card: HomeCard(self._appearance, card, is_main=card.card is view.main)
            for card in view.cards
        }
        for name, card in self.cards.items():
            card.entered.connect(lambda entered=name: self.entered.emit(entered))
            self._cards.addWidget(card, stretch=1)
            card.show()  # immediately, so that its button can get the focus

    def _render_labelers(self, view: HomeView) -> None:
        clear_layout(self._below)
        if view.labelers:
            self._below.addWidget(LabelerTable(view.labelers))

    def _lay_out(self) -> None:
        self._cards.setSpacing(16)
        self.column.addLayout(self._header())
        self.column.addWidget(self.error_banner)
        next_step = hbox(grow(self.notice), self.set_up_next, spacing=16)
        self.column.addLayout(next_step)
        self.column.addLayout(self._cards)
        self.column.addLayout(self._below)
        commands = QWidget()
        # The full width, as a lead's buttons fill a line at the default text size.
        flow = FlowLayout(commands, spacing=8)
        for button in (
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
            key.triggered.connect(lambda _checked=False: self._press(action, button))
            self.addAction(key)
            self._keys[action] = key
        return button

    def _press(self, action: Action, command: CommandButton) -> None:
        """Click the command's button, unless it is hidden from this person."""
        buttons = (command, self.set_up_next) if action is Action.SHOW_SET_UP else (command,)
        shown = next((button for button in buttons if button.isVisibleTo(self)), None)
        if shown is not None:
            shown.click()

    def _connect(self) -> None:
        self.classes.clicked.connect(self.classes_wanted)
        self.guide.clicked.connect(self.guide_wanted)
        self.rules.clicked.connect(self.rules_wanted)
        self.progress.clicked.connect(self.progress_wanted)
        self.discussion.clicked.connect(self.discussion_wanted)
        self.set_up.clicked.connect(self.set_up_wanted)
        self.set_up_next.clicked.connect(self.set_up_wanted)
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
