"""The settings dialog: every change applies immediately, so there is no Save button."""

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QRadioButton,
    QTabWidget,
    QWidget,
)

from labeler.app.keymap import Keymap
from labeler.app.study.key_overrides import with_usable_overrides
from labeler.app.study.preferences import PreferencesStore, TextSize, ThemeChoice, UserPreferences
from labeler.app.study.preferences_page import PreferencesPage, PreferencesView
from labeler.core.errors import EnvironmentFault
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.layout.boxes import grow, stretch, vbox
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.kit.text.text_dialogs import MessageDialog, close_button_row
from labeler.ui.study.key_settings import KeySettings
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.theme import Appearance


class PreferencesController(QObject):
    """Applies the preferences to the window, and opens the settings dialog."""

    def __init__(
        self,
        window: MainWindow,
        *,
        appearance: Appearance,
        shipped: Keymap,
        preferences: PreferencesStore,
    ) -> None:
        super().__init__(window)
        self._window, self._appearance = window, appearance
        self._shipped, self._preferences = shipped, preferences
        preferences.listen(self._follow)
        window.settings_wanted.connect(self._open_page)
        window.theme_wanted.connect(self._choose_theme)

    def _follow(self, settings: UserPreferences) -> None:
        self._appearance.choose(settings.theme)
        self._appearance.set_text_scale(settings.text_size.scale)
        self._appearance.show_key_hints(settings.key_hints_shown)
        keymap = with_usable_overrides(self._shipped, settings.keys).keymap
        if keymap != self._window.keymap:
            self._window.set_keymap(keymap)

    def _open_page(self) -> None:
        page = PreferencesPage(self._preferences, self._shipped)
        PreferencesDialog(self._appearance, page, self._window).open()

    def _choose_theme(self, choice: ThemeChoice) -> None:
        try:
            self._preferences.change(replace(self._preferences.settings, theme=choice))
        except EnvironmentFault as fault:
            MessageDialog(str(fault), self._window).open()


_THEMES = {
    ThemeChoice.SYSTEM: "System",
    ThemeChoice.LIGHT: "Light",
    ThemeChoice.DARK: "Dark",
}
assert set(_THEMES) == set(ThemeChoice), "every theme can be chosen"
_SIZE = (760, 600)


class PreferencesDialog(QDialog):
    """Tabs for appearance, workbench and keys."""

    changed = Signal(UserPreferences)

    def __init__(self, appearance: Appearance, page: PreferencesPage, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Settings")
        self.resize(*_SIZE)
        self._page = page
        self._shown_settings = page.view.settings
        self.themes = {choice: QRadioButton(text) for choice, text in _THEMES.items()}
        self.sizes = {size: QRadioButton(f"{size.value} %") for size in TextSize}
        self.clock = CheckBox(appearance, "Show the trial clock")
        self.pace = CheckBox(appearance, "Show the session's pace")
        self.key_hints = CheckBox(appearance, "Show key hints")
        self.keys = KeySettings(appearance)
        self.error_banner = ErrorBanner(appearance)
        self._lay_out()
        self.render_view(page.view)
        self._connect()

    def render_view(self, view: PreferencesView) -> None:
        """Show the current settings, and emit `changed` if they changed."""
        self.themes[view.settings.theme].setChecked(True)
        self.sizes[view.settings.text_size].setChecked(True)
        self.clock.setChecked(view.settings.clock_shown)
        self.pace.setChecked(view.settings.pace_shown)
        self.key_hints.setChecked(view.settings.key_hints_shown)
        self.keys.render_rows(view.keys)
        self.error_banner.say(view.refusal)
        if view.settings != self._shown_settings:
            self._shown_settings = view.settings
            self.changed.emit(view.settings)

    def _lay_out(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.addTab(self._appearance(), "Appearance")
        self.tabs.addTab(self._workbench(), "Workbench")
        self.tabs.addTab(self.keys, "Keys")
        vbox(
            grow(self.tabs),
            self.error_banner,
            close_button_row(self),
            on=self,
            spacing=16,
            margins=(24, 24, 24, 16),
        )

    def _appearance(self) -> QWidget:
        return _sheet(
            _choices("Theme", list(self.themes.values()), self),
            _choices("Text size", list(self.sizes.values()), self),
        )

    def _workbench(self) -> QWidget:
        return _sheet(
            _switch(self.clock, "Hidden by default, because a visible clock makes people hurry."),
            _switch(self.pace, "The number of trials in this session and their average time."),
            _switch(self.key_hints, "The keys next to what they do, and in the bar at the bottom."),
        )

    def _connect(self) -> None:
        page, show = self._page, self.render_view
        for choice, button in self.themes.items():
            button.clicked.connect(lambda _on, c=choice: show(page.choose_theme(c)))
        for size, button in self.sizes.items():
            button.clicked.connect(lambda _on, s=size: show(page.choose_text_size(s)))
        self.clock.clicked.connect(lambda shown: show(page.show_clock(shown)))
        self.pace.clicked.connect(lambda shown: show(page.show_pace(shown)))
        self.key_hints.clicked.connect(lambda shown: show(page.show_key_hints(shown)))
        self.keys.rebound.connect(lambda action, key: show(page.rebind(action, key)))
        self.keys.reset_wanted.connect(lambda action: show(page.reset(action)))
        self.keys.reset_all_wanted.connect(lambda: show(page.reset_all()))


def _sheet(*parts: QWidget) -> QWidget:
    made = QWidget()
    vbox(*parts, stretch(), on=made, spacing=24, margins=(24, 24, 24, 24))
    return made


def _choices(title: str, buttons: list[QRadioButton], owner: QDialog) -> QWidget:
    made = QWidget()
    made.setAccessibleName(title)
    group = QButtonGroup(owner)
    column = vbox(label(title, rank="heading"), on=made)
    row = QHBoxLayout()
    row.setSpacing(24)
    for button in buttons:
        button.setAccessibleDescription(title)
        _focus_chosen(button, chosen=button.isChecked())
        group.addButton(button)
        row.addWidget(button)
    group.buttonToggled.connect(lambda button, chosen: _focus_chosen(button, chosen=chosen))
    row.addStretch()
    column.addLayout(row)
    return made


def _focus_chosen(button: QAbstractButton, *, chosen: bool) -> None:
    """Let Tab reach only the selected button; the arrow keys reach the others."""
    policy = Qt.FocusPolicy.StrongFocus if chosen else Qt.FocusPolicy.ClickFocus
    button.setFocusPolicy(policy)


def _switch(box: CheckBox, explanation: str) -> QWidget:
    made = QWidget()
    box.setAccessibleDescription(explanation)
    column = vbox(box, on=made, spacing=4)
    caption = label(explanation, rank="caption", wrap=True)
    caption.setContentsMargins(28, 0, 0, 0)
    column.addWidget(caption)
    return made
