"""The settings in force: read from the person's file, kept there, and told to who follows them."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import platformdirs

from labeler.app.study.app_settings import TextSize, ThemeChoice, UserPreferences
from labeler.app.study.settings_text import (
    ParsedPreferences,
    parse_preferences,
    preferences_to_toml,
)
from labeler.core.errors import InputError
from labeler.images.atomic_write import write_atomically
from labeler.locations import RESOURCES

DEFAULT_PREFERENCES_FILE = RESOURCES / "settings.toml"
UNREADABLE_SUFFIX = ".unreadable"
# Only where a value is missing from the shipped file, which a test forbids.
_BARE = UserPreferences(
    theme=ThemeChoice.SYSTEM, text_size=TextSize.USUAL, clock_shown=False, pace_shown=True
)


def preferences_path() -> Path:
    """Where a person's settings lie."""
    return Path(platformdirs.user_config_dir("labeler", appauthor=False)) / "settings.toml"


def default_preferences(file: Path = DEFAULT_PREFERENCES_FILE) -> UserPreferences:
    """The settings that ship with the program; a fault in them is an error."""
    read = parse_preferences(file.read_text(encoding="utf-8"), file=file, defaults=_BARE)
    if read.faults:
        raise InputError(read.faults[0], file=file)
    return read.settings


class PreferencesStore:
    """Holds the settings; each change is in force at once and written at once."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or preferences_path()
        self.defaults = default_preferences()
        read = self._read()
        self.settings = read.settings
        self.faults = read.faults
        self._listeners: list[Callable[[UserPreferences], None]] = []

    def listen(self, listener: Callable[[UserPreferences], None]) -> None:
        """Have every change told."""
        self._listeners.append(listener)

    def stop_listening(self, listener: Callable[[UserPreferences], None]) -> None:
        """Have nothing told any more."""
        self._listeners.remove(listener)

    def change(self, settings: UserPreferences) -> None:
        """Take the settings; EnvironmentFault when they hold for now but can't be kept."""
        if settings == self.settings:
            return
        self.settings = settings
        for listener in tuple(self._listeners):
            listener(settings)
        self._keep_unreadable()
        write_atomically(self._file, preferences_to_toml(settings, defaults=self.defaults).encode())

    def _read(self) -> ParsedPreferences:
        try:
            text = self._file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ParsedPreferences(self.defaults)
        except (OSError, UnicodeDecodeError) as error:
            sentence = f"{self._file} can't be read ({_reason(error)}): the usual settings hold."
            return ParsedPreferences(self.defaults, (sentence,))
        return parse_preferences(text, file=self._file, defaults=self.defaults)

    def _keep_unreadable(self) -> None:
        """What somebody wrote by hand and got wrong is put beside, not overwritten."""
        try:
            tomllib.loads(self._file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            self._file.replace(self._file.with_name(self._file.name + UNREADABLE_SUFFIX))
        except OSError:
            pass  # There is none, or the write that follows tells why it can't be touched.


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return "it is no text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
