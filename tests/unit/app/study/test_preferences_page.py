"""The settings page applies and saves changes, and refuses unusable keys."""

from pathlib import Path

import pytest

from labeler.app.keymap import Action, load_keymap, parse_key
from labeler.app.study.preferences import PreferencesStore, TextSize, ThemeChoice
from labeler.app.study.preferences_page import (
    KeyRow,
    PreferencesPage,
    PreferencesView,
    not_saved_text,
    unusable_key_text,
)
from labeler.core.errors import EnvironmentFault


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@pytest.fixture
def page(file: Path) -> PreferencesPage:
    return PreferencesPage(PreferencesStore(file), load_keymap())


def row(page: PreferencesPage, action: Action) -> KeyRow:
    return next(each for each in page.view.keys if each.action is action)


def assert_clash(view: PreferencesView) -> None:
    """The refusal names the key and both actions."""
    keymap = load_keymap()
    assert "Ctrl+P" in view.refusal
    for action in (Action.SUBMIT, Action.PAUSE):
        assert keymap[action].title in view.refusal


def test_each_choice_is_saved_immediately(page: PreferencesPage, file: Path) -> None:
    page.choose_theme(ThemeChoice.DARK)
    page.choose_text_size(TextSize.LARGEST)
    page.show_clock(True)
    page.show_pace(False)
    page.rebind(Action.SUBMIT, "F15")
    kept = PreferencesStore(file).settings
    assert kept == page.view.settings
    assert (kept.theme, kept.text_size) == (ThemeChoice.DARK, TextSize.LARGEST)
    assert (kept.clock_shown, kept.pace_shown) == (True, False)
    assert kept.keys == {Action.SUBMIT: (parse_key("F15"),)}


def test_a_new_key_applies_and_is_marked_as_changed(page: PreferencesPage) -> None:
    page.rebind(Action.SUBMIT, "F15")
    assert page.keymap[Action.SUBMIT].keys == (parse_key("F15"),)
    assert row(page, Action.SUBMIT).changed
    assert not row(page, Action.PAUSE).changed


def test_a_conflicting_key_is_refused(page: PreferencesPage, file: Path) -> None:
    view = page.rebind(Action.SUBMIT, "Ctrl+P")
    assert_clash(view)
    assert not row(page, Action.SUBMIT).changed
    assert not file.exists()
    assert page.rebind(Action.SUBMIT, "F15").refusal == ""


def test_an_unnamed_key_is_refused(page: PreferencesPage) -> None:
    assert page.rebind(Action.SUBMIT, "Ctrl+Ä").refusal == unusable_key_text("Ctrl+Ä")


def test_one_or_all_actions_can_be_reset(page: PreferencesPage) -> None:
    page.rebind(Action.SUBMIT, "F15")
    page.rebind(Action.PAUSE, "F16")
    page.reset(Action.SUBMIT)
    assert [each.action for each in page.view.keys if each.changed] == [Action.PAUSE]
    page.reset_all()
    assert not any(each.changed for each in page.view.keys)


def test_a_reset_is_refused_if_another_action_has_the_key(
    page: PreferencesPage,
) -> None:
    page.rebind(Action.PAUSE, "F16")
    page.rebind(Action.SUBMIT, "Ctrl+P")
    view = page.reset(Action.PAUSE)
    assert_clash(view)
    assert page.reset_all().refusal == ""


def test_entering_the_shipped_key_is_not_a_change(page: PreferencesPage) -> None:
    page.rebind(Action.PAUSE, "F16")
    page.rebind(Action.PAUSE, "Ctrl+P")
    assert page.view.settings.keys == {}


def test_settings_that_cannot_be_saved_apply_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "config").touch()
    page = PreferencesPage(PreferencesStore(tmp_path / "config" / "settings.toml"), load_keymap())
    view = page.choose_theme(ThemeChoice.DARK)
    assert view.settings.theme is ThemeChoice.DARK
    assert view.refusal.startswith(not_saved_text(EnvironmentFault("")))
