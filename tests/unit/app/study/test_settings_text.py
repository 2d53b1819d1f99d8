"""Parsing settings: valid values are used, faults are reported with file and line."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.app.keymap import Action, parse_key
from labeler.app.study.preferences import (
    ParsedPreferences,
    TextSize,
    ThemeChoice,
    UserPreferences,
    default_preferences,
    parse_preferences,
    preferences_to_toml,
)

DEFAULTS = default_preferences()
KEYS = ["Ctrl+J", 'Ctrl+"', "Ctrl+\\", "F7", "Alt++", "Ctrl+Shift+PgDown", "'", "#"]

settings = st.builds(
    UserPreferences,
    theme=st.sampled_from(ThemeChoice),
    text_size=st.sampled_from(TextSize),
    clock_shown=st.booleans(),
    pace_shown=st.booleans(),
    key_hints_shown=st.booleans(),
    keys=st.dictionaries(
        st.sampled_from(Action),
        st.lists(st.sampled_from(KEYS).map(parse_key), min_size=1, max_size=3).map(tuple),
    ),
)


def read(text: str) -> ParsedPreferences:
    return parse_preferences(text, file="own.toml", defaults=DEFAULTS)


@given(settings)
def test_settings_that_are_written_and_read_are_the_same(chosen: UserPreferences) -> None:
    assert read(preferences_to_toml(chosen, defaults=DEFAULTS)) == ParsedPreferences(chosen)


def test_only_what_differs_from_the_defaults_is_written() -> None:
    assert preferences_to_toml(DEFAULTS, defaults=DEFAULTS) == ""
    dark = UserPreferences(
        theme=ThemeChoice.DARK,
        text_size=DEFAULTS.text_size,
        clock_shown=DEFAULTS.clock_shown,
        pace_shown=DEFAULTS.pace_shown,
        key_hints_shown=DEFAULTS.key_hints_shown,
    )
    assert tomllib.loads(preferences_to_toml(dark, defaults=DEFAULTS)) == {"theme": "dark"}


def test_the_shipped_file_names_every_setting() -> None:
    from labeler.app.study.preferences import DEFAULT_PREFERENCES_FILE

    document = tomllib.loads(DEFAULT_PREFERENCES_FILE.read_text(encoding="utf-8"))
    switches = {"clock_shown", "pace_shown", "key_hints_shown"}
    assert set(document) == {"theme", "text_size", "keys"} | switches
    assert DEFAULTS.clock_shown is False


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ('theme = "blue"', "“theme” must be one of system, light, dark, not 'blue'."),
        ("theme = 3", "“theme” must be one of system, light, dark, not 3."),
        ("text_size = 99", "“text_size” must be one of 90, 100, 115, 130, not 99."),
        ("text_size = true", "“text_size” must be one of 90, 100, 115, 130, not True."),
        ('clock_shown = "yes"', "“clock_shown” must be true or false, not 'yes'."),
        ("volume = 11", "There is no setting “volume”. Settings: theme,"),
        ("keys = 3", "“keys” must be a table"),
        ("[keys]\nexplode = ['F7']", "There is no action “explode”."),
        ("[keys]\nquit = []", "“quit” must be a list with at least one key."),
        ("[keys]\nquit = ['Strg+Q']", "“quit” has a key that can't be read: “Strg”"),
    ],
)
def test_faults_are_reported_with_their_line_and_the_rest_is_used(line: str, result: str) -> None:
    found = read(f"# mine\npace_shown = false\n{line}\n")
    number = 2 + len(line.splitlines())
    assert found.settings.pace_shown is False
    assert found.settings == read("pace_shown = false").settings
    assert len(found.faults) == 1
    assert found.faults[0].startswith(f"own.toml, line {number}: {result}")


def test_invalid_toml_leaves_the_defaults_and_reports_the_line() -> None:
    found = read('theme = "dark"\n[keys\n')
    assert found.settings == DEFAULTS
    assert found.faults[0].startswith("own.toml: Not valid TOML: ")
    assert "line 2" in found.faults[0]


@given(st.text())
def test_no_text_crashes_the_parser(text: str) -> None:
    assert isinstance(read(text).settings, UserPreferences)
