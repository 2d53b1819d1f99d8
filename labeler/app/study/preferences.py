"""A person's settings: read from their file, saved there, and passed on to listeners."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum, StrEnum
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import platformdirs

from labeler.app.keymap import Action, Key, UnreadableKey, parse_key
from labeler.core.errors import InputError
from labeler.images.atomic_write import write_atomically
from labeler.locations import RESOURCES

KeyOverrides = Mapping[Action, tuple[Key, ...]]

NO_OVERRIDES: KeyOverrides = MappingProxyType({})


class ThemeChoice(StrEnum):
    """The theme that a person chose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"

    @property
    def following(self) -> "ThemeChoice":
        """The next choice when cycling through the themes."""
        every = list(ThemeChoice)
        return every[(every.index(self) + 1) % len(every)]


class TextSize(IntEnum):
    """The text size in percent of the default."""

    SMALL = 90
    USUAL = 100
    LARGE = 115
    LARGEST = 130

    @property
    def scale(self) -> float:
        return self.value / 100


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPreferences:
    """What a person can change; the field names are those in the file."""

    theme: ThemeChoice
    text_size: TextSize
    clock_shown: bool
    pace_shown: bool
    key_hints_shown: bool
    keys: KeyOverrides = field(default_factory=lambda: NO_OVERRIDES)


@dataclass(frozen=True, slots=True)
class ParsedPreferences:
    """The settings that could be read, and a message for each one that couldn't."""

    settings: UserPreferences
    faults: tuple[str, ...] = ()


def parse_preferences(
    text: str, *, file: Path | str, defaults: UserPreferences
) -> ParsedPreferences:
    """Parse settings from TOML over the defaults; `file` is only used in messages."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return ParsedPreferences(defaults, (not_toml_text(file, error),))
    reading = _PreferencesReader(text, file)
    values = {name: reading.value(name, value) for name, value in document.items()}
    read = {name: value for name, value in values.items() if value is not None}
    return ParsedPreferences(replace(defaults, **read), tuple(reading.faults))


def preferences_to_toml(settings: UserPreferences, *, defaults: UserPreferences) -> str:
    """Return the settings that differ from the defaults, as TOML."""
    lines = [
        f"{name} = {write(getattr(settings, name))}"
        for name, write in _WRITERS.items()
        if getattr(settings, name) != getattr(defaults, name)
    ]
    if settings.keys:
        lines += ["[keys]", *(f"{action} = {_list(k)}" for action, k in settings.keys.items())]
    return "".join(f"{line}\n" for line in lines)


def not_toml_text(file: Path | str, error: tomllib.TOMLDecodeError) -> str:
    return f"{file}: Not valid TOML: {error}. The file is ignored."


class _Fault(Exception):
    """What is wrong with one value, without the file and line."""


class _PreferencesReader:
    """Reads the values one by one and collects the faults."""

    def __init__(self, text: str, file: Path | str) -> None:
        self._lines = text.splitlines()
        self._file = file
        self.faults: list[str] = []

    def value(self, name: str, value: object) -> Any:
        """Return the parsed value, or None if it can't be read."""
        if name == "keys":
            return self._attempt(name, lambda: self._overrides(value))
        return self._attempt(name, lambda: _reader(name)(name, value))

    def _overrides(self, table: object) -> KeyOverrides:
        if not isinstance(table, dict):
            raise _Fault("“keys” must be a table: write [keys].")
        read: dict[Action, tuple[Key, ...]] = {}
        for name, keys in table.items():
            override = self._attempt(name, partial(_override, name, keys))
            if override is not None:
                read |= override
        return MappingProxyType(read)

    def _attempt(self, name: str, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except _Fault as fault:
            line = self._line_of(name)
            self.faults.append(f"{self._file}, line {line}: {fault} The default is used instead.")
            return None

    def _line_of(self, name: str) -> int:
        """Return the number of the line that sets the name, from 1."""
        given = re.compile(rf"\s*\[?\s*[\"']?{re.escape(name)}\b")
        numbered = enumerate(self._lines, start=1)
        return next((number for number, line in numbered if given.match(line)), 1)


def _override(name: str, value: object) -> dict[Action, tuple[Key, ...]]:
    return {_action(name): _keys(name, value)}


def _action(name: str) -> Action:
    try:
        return Action(name)
    except ValueError:
        raise _Fault(f"There is no action “{name}”.") from None


def _keys(name: str, value: object) -> tuple[Key, ...]:
    if not isinstance(value, list) or not value:
        raise _Fault(f"“{name}” must be a list with at least one key.")
    try:
        return tuple(parse_key(str(text)) for text in value)
    except UnreadableKey as error:
        raise _Fault(f"“{name}” has a key that can't be read: {error}") from error


def _reader(name: str) -> Callable[[str, object], object]:
    if name not in _READERS:
        raise _Fault(f"There is no setting “{name}”. Settings: {', '.join(_READERS)}, keys.")
    return _READERS[name]


def _theme(name: str, value: object) -> ThemeChoice:
    if not isinstance(value, str) or value not in set(ThemeChoice):
        raise _Fault(f"“{name}” must be one of {', '.join(ThemeChoice)}, not {value!r}.")
    return ThemeChoice(value)


def _text_size(name: str, value: object) -> TextSize:
    if type(value) is not int or value not in set(TextSize):
        steps = ", ".join(str(step.value) for step in TextSize)
        raise _Fault(f"“{name}” must be one of {steps}, not {value!r}.")
    return TextSize(value)


def _switch(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _Fault(f"“{name}” must be true or false, not {value!r}.")
    return value


_READERS: Mapping[str, Callable[[str, object], object]] = {
    "theme": _theme,
    "text_size": _text_size,
    "clock_shown": _switch,
    "pace_shown": _switch,
    "key_hints_shown": _switch,
}
_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "theme": lambda theme: f'"{theme}"',
    "text_size": lambda size: str(size.value),
    "clock_shown": lambda shown: str(shown).lower(),
    "pace_shown": lambda shown: str(shown).lower(),
    "key_hints_shown": lambda shown: str(shown).lower(),
}
_NAMES = {known.name for known in fields(UserPreferences)} - {"keys"}
assert set(_READERS) == set(_WRITERS) == _NAMES, "every setting is read and written"


def _list(keys: tuple[Key, ...]) -> str:
    # These are the only characters in a key's name that TOML requires to be escaped.
    quoted = (re.sub(r'(["\\])', r"\\\1", str(key)) for key in keys)
    return "[" + ", ".join(f'"{key}"' for key in quoted) + "]"


DEFAULT_PREFERENCES_FILE = RESOURCES / "settings.toml"
UNREADABLE_SUFFIX = ".unreadable"
# Used only if the shipped file lacks a value, which a test rules out.
_FALLBACK = UserPreferences(
    theme=ThemeChoice.SYSTEM,
    text_size=TextSize.USUAL,
    clock_shown=False,
    pace_shown=True,
    key_hints_shown=True,
)


def preferences_path() -> Path:
    """Return the path of the person's settings file."""
    return Path(platformdirs.user_config_dir("labeler", appauthor=False)) / "settings.toml"


def default_preferences(file: Path = DEFAULT_PREFERENCES_FILE) -> UserPreferences:
    """Return the settings that ship with the program; a fault in them raises an error."""
    read = parse_preferences(file.read_text(encoding="utf-8"), file=file, defaults=_FALLBACK)
    if read.faults:
        raise InputError(read.faults[0], file=file)
    return read.settings


class PreferencesStore:
    """Holds the settings; every change applies and is saved immediately."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or preferences_path()
        self.defaults = default_preferences()
        read = self._read()
        self.settings = read.settings
        self.faults = read.faults
        self._listeners: list[Callable[[UserPreferences], None]] = []

    def listen(self, listener: Callable[[UserPreferences], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def stop_listening(self, listener: Callable[[UserPreferences], None]) -> None:
        """Stop calling the listener."""
        self._listeners.remove(listener)

    def change(self, settings: UserPreferences) -> None:
        """Apply and save the settings; EnvironmentFault if they apply but can't be saved."""
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
            sentence = f"{self._file} can't be read ({_reason(error)}). The defaults are used."
            return ParsedPreferences(self.defaults, (sentence,))
        return parse_preferences(text, file=self._file, defaults=self.defaults)

    def _keep_unreadable(self) -> None:
        """Move a file with faulty manual edits aside instead of overwriting it."""
        try:
            tomllib.loads(self._file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            self._file.replace(self._file.with_name(self._file.name + UNREADABLE_SUFFIX))
        except OSError:
            pass  # There is no file, or the write that follows reports the error.


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return "it isn't text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
