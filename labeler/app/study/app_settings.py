"""A person's settings: what can be chosen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from types import MappingProxyType

from labeler.app.key_names import Key
from labeler.app.keymap import Action

KeyOverrides = Mapping[Action, tuple[Key, ...]]

NO_OVERRIDES: KeyOverrides = MappingProxyType({})


class ThemeChoice(StrEnum):
    """What a person wants to see."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"

    @property
    def following(self) -> "ThemeChoice":
        """The choice that comes next when they are gone through in turn."""
        every = list(ThemeChoice)
        return every[(every.index(self) + 1) % len(every)]


class TextSize(IntEnum):
    """The size of all type, in percent of the usual."""

    SMALL = 90
    USUAL = 100
    LARGE = 115
    LARGEST = 130

    @property
    def scale(self) -> float:
        return self.value / 100


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPreferences:
    """What a person can change; the names are those in the file."""

    theme: ThemeChoice
    text_size: TextSize
    clock_shown: bool
    pace_shown: bool
    keys: KeyOverrides = field(default_factory=lambda: NO_OVERRIDES)
