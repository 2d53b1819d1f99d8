"""What a person prefers, taken from the window and put into force at once."""

from dataclasses import replace

from PySide6.QtCore import QObject

from labeler.app.keymap import Keymap
from labeler.app.study.app_settings import ThemeChoice, UserPreferences
from labeler.app.study.key_overrides import with_usable_overrides
from labeler.app.study.preferences import PreferencesStore
from labeler.core.errors import EnvironmentFault
from labeler.ui.window.look import Appearance
from labeler.ui.window.main_window import MainWindow


class PreferencesController(QObject):
    """Follows the preferences with look and keys, and opens the page on which they change."""

    def __init__(
        self,
        window: MainWindow,
        *,
        look: Appearance,
        shipped: Keymap,
        preferences: PreferencesStore,
    ) -> None:
        super().__init__(window)
        self._window, self._look = window, look
        self._shipped, self._preferences = shipped, preferences
        preferences.listen(self._follow)
        window.settings_wanted.connect(self._open_page)
        window.theme_wanted.connect(self._choose_theme)

    def _follow(self, settings: UserPreferences) -> None:
        self._look.choose(settings.theme)
        self._look.set_text_scale(settings.text_size.scale)
        keymap = with_usable_overrides(self._shipped, settings.keys).keymap
        if keymap != self._window.keymap:
            self._window.set_keymap(keymap)

    def _open_page(self) -> None:
        from labeler.app.study.preferences_page import PreferencesPage
        from labeler.ui.study.preferences_dialog import PreferencesDialog

        page = PreferencesPage(self._preferences, self._shipped)
        PreferencesDialog(self._look, page, self._window).open()

    def _choose_theme(self, choice: ThemeChoice) -> None:
        try:
            self._preferences.change(replace(self._preferences.settings, theme=choice))
        except EnvironmentFault as fault:
            from labeler.ui.kit.text.text_dialogs import MessageDialog

            MessageDialog(str(fault), self._window).open()
