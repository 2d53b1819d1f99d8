"""The settings page: every change applies immediately, and an unusable key is refused."""

from dataclasses import dataclass, replace

from labeler.app.keymap import Action, Key, Keymap, UnreadableKey, parse_key
from labeler.app.study.key_overrides import with_overrides, with_usable_overrides
from labeler.app.study.preferences import (
    NO_OVERRIDES,
    KeyOverrides,
    PreferencesStore,
    TextSize,
    ThemeChoice,
    UserPreferences,
)
from labeler.core.errors import EnvironmentFault, RefusedError


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRow:
    """An action with its current keys; `changed` if they aren't the shipped ones."""

    action: Action
    place: str
    title: str
    keys: tuple[Key, ...]
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesView:
    """The current settings and keys, and why the last change was refused, if it was."""

    settings: UserPreferences
    keys: tuple[KeyRow, ...]
    refusal: str = ""


def unusable_key_text(key: str) -> str:
    return f"“{key}” can't be used here. Press another key."


def not_saved_text(fault: EnvironmentFault) -> str:
    return f"The change applies until you quit, but it couldn't be saved: {fault}"


class PreferencesPage:
    """Applies a person's changes to their preferences."""

    def __init__(self, preferences: PreferencesStore, shipped: Keymap) -> None:
        self._preferences = preferences
        self._shipped = shipped
        self.view = self._shown("")

    @property
    def keymap(self) -> Keymap:
        """The current keymap."""
        return with_usable_overrides(self._shipped, self._settings.keys).keymap

    def choose_theme(self, theme: ThemeChoice) -> PreferencesView:
        return self._take(replace(self._settings, theme=theme))

    def choose_text_size(self, size: TextSize) -> PreferencesView:
        return self._take(replace(self._settings, text_size=size))

    def show_clock(self, shown: bool) -> PreferencesView:
        return self._take(replace(self._settings, clock_shown=shown))

    def show_pace(self, shown: bool) -> PreferencesView:
        return self._take(replace(self._settings, pace_shown=shown))

    def show_key_hints(self, shown: bool) -> PreferencesView:
        return self._take(replace(self._settings, key_hints_shown=shown))

    def rebind(self, action: Action, key: str) -> PreferencesView:
        """Replace all keys of the action by one, or say why that key can't be used."""
        try:
            keys = (parse_key(key),)
        except UnreadableKey:
            return self._show(unusable_key_text(key))
        return self._take_keys({**self._settings.keys, action: keys})

    def reset(self, action: Action) -> PreferencesView:
        """Restore the action's shipped keys."""
        others = {a: keys for a, keys in self._settings.keys.items() if a is not action}
        return self._take_keys(others)

    def reset_all(self) -> PreferencesView:
        return self._take_keys(NO_OVERRIDES)

    @property
    def _settings(self) -> UserPreferences:
        return self._preferences.settings

    def _take_keys(self, wanted: KeyOverrides) -> PreferencesView:
        shipped = self._shipped
        kept = {a: keys for a, keys in wanted.items() if keys != shipped[a].keys}
        try:
            with_overrides(shipped, kept)
        except RefusedError as refused:
            return self._show(str(refused))
        return self._take(replace(self._settings, keys=kept))

    def _take(self, settings: UserPreferences) -> PreferencesView:
        try:
            self._preferences.change(settings)
        except EnvironmentFault as fault:
            return self._show(not_saved_text(fault))
        return self._show("")

    def _show(self, refusal: str) -> PreferencesView:
        self.view = self._shown(refusal)
        return self.view

    def _shown(self, refusal: str) -> PreferencesView:
        rows = (
            KeyRow(
                action=binding.action,
                place=self._shipped.scope_titles[binding.scope],
                title=binding.title,
                keys=binding.keys,
                changed=binding.keys != self._shipped[binding.action].keys,
            )
            for binding in self.keymap.bindings
        )
        return PreferencesView(settings=self._settings, keys=tuple(rows), refusal=refusal)
