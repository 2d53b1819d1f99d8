"""Preferences apply and are saved immediately, without losing a faulty file."""

from dataclasses import replace
from pathlib import Path

import pytest

from labeler.app.study.preferences import (
    UNREADABLE_SUFFIX,
    PreferencesStore,
    TextSize,
    ThemeChoice,
    UserPreferences,
    preferences_path,
)
from labeler.core.errors import EnvironmentFault


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def test_a_change_notifies_listeners_and_is_saved(file: Path) -> None:
    preferences = PreferencesStore(file)
    changes: list[UserPreferences] = []
    preferences.listen(changes.append)
    chosen = replace(preferences.settings, theme=ThemeChoice.DARK, text_size=TextSize.LARGE)
    preferences.change(chosen)
    assert changes == [chosen]
    assert PreferencesStore(file).settings == chosen


def test_the_same_settings_again_change_nothing(file: Path) -> None:
    preferences = PreferencesStore(file)
    changes: list[UserPreferences] = []
    preferences.listen(changes.append)
    preferences.change(preferences.defaults)
    assert changes == []
    assert not file.exists()


def test_settings_are_in_the_persons_own_folder(own_folders: Path) -> None:
    preferences = PreferencesStore()
    preferences.change(replace(preferences.settings, clock_shown=True))
    assert preferences_path().is_relative_to(own_folders)
    assert preferences_path().read_text(encoding="utf-8") == "clock_shown = true\n"


def test_a_faulty_file_is_reported_and_kept_on_a_change(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("theme = dark", encoding="utf-8")
    preferences = PreferencesStore(file)
    assert preferences.settings == preferences.defaults
    assert str(file) in preferences.faults[0]
    preferences.change(replace(preferences.settings, clock_shown=True))
    aside = file.with_name(file.name + UNREADABLE_SUFFIX)
    assert aside.read_text(encoding="utf-8") == "theme = dark"
    assert PreferencesStore(file).faults == ()


def test_a_file_that_is_not_text_is_reported(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"\xff\xfe\x00")
    assert "it isn't text" in PreferencesStore(file).faults[0]


def test_settings_apply_even_if_they_cannot_be_saved(file: Path) -> None:
    file.parent.write_text("a file where the folder should be", encoding="utf-8")
    preferences = PreferencesStore(file)
    with pytest.raises(EnvironmentFault, match=r"can't be written"):
        preferences.change(replace(preferences.settings, clock_shown=True))
    assert preferences.settings.clock_shown
