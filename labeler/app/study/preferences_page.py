"""The settings page: each choice holds at once; a key that can't be taken is refused at once."""

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
    """An action with the keys in force; `changed` when they aren't the shipped ones."""

    action: Action
    place: str
    title: str
    keys: tuple[Key, ...]
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesView:
    """The settings in force, the keys, and why the last wish wasn't granted, if it wasn't."""

    settings: UserPreferences
    keys: tuple[KeyRow, ...]
    refusal: str = ""


class PreferencesPage:
    """Changes the preferences as a person says."""

    def __init__(self, preferences: PreferencesStore, shipped: Keymap) -> None:
        self._preferences = preferences
        self._shipped = shipped
        self.view = self._shown("")

    @property
    def keymap(self) -> Keymap:
        """The keymap in force."""
        return with_usable_overrides(self._shipped, self._settings.keys).keymap

    def choose_theme(self, theme: ThemeChoice) -> PreferencesView:
        return self._take(replace(self._settings, theme=theme))

    def choose_text_size(self, size: TextSize) -> PreferencesView:
        return self._take(replace(self._settings, text_size=size))

    def show_clock(self, shown: bool) -> PreferencesView:
        return self._take(replace(self._settings, clock_shown=shown))

    def show_pace(self, shown: bool) -> PreferencesView:
        return self._take(replace(self._settings, pace_shown=shown))

    def rebind(self, action: Action, key: str) -> PreferencesView:
        """Give the action one key in place of all its keys, or say why it can't have it."""
        try:
            keys = (parse_key(key),)
        except UnreadableKey:
            return self._show(f"“{key}” can't be used as a key here: take another.")
        return self._take_keys({**self._settings.keys, action: keys})

    def reset(self, action: Action) -> PreferencesView:
        """Give the action its shipped keys again."""
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
            return self._show(f"This holds until the program ends, but can't be kept: {fault}")
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
