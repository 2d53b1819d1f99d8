"""The settings dialog applies every change immediately; a key is changed by pressing it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import Action, load_keymap, parse_key
from labeler.app.study.preferences import PreferencesStore, TextSize, ThemeChoice, UserPreferences
from labeler.app.study.preferences_page import PreferencesPage
from labeler.ui.study.key_settings import key_text
from labeler.ui.study.preferences_dialog import PreferencesDialog
from labeler.ui.window.theme import Appearance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
KEYS_TAB = 2


@pytest.fixture
def preferences(tmp_path: Path) -> PreferencesStore:
    return PreferencesStore(tmp_path / "settings.toml")


@pytest.fixture
def dialog(
    qtbot: QtBot, qapp: QApplication, preferences: PreferencesStore
) -> Iterator[PreferencesDialog]:
    parent = QWidget()
    qtbot.addWidget(parent)
    page = PreferencesPage(preferences, load_keymap())
    made = PreferencesDialog(Appearance(qapp, ThemeChoice.LIGHT), page, parent)
    made.open()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    parent.close()


@pytest.fixture
def keys(dialog: PreferencesDialog) -> PreferencesDialog:
    dialog.tabs.setCurrentIndex(KEYS_TAB)
    return dialog


def test_a_choice_applies_immediately(
    dialog: PreferencesDialog, qtbot: QtBot, preferences: PreferencesStore
) -> None:
    settings: list[UserPreferences] = []
    dialog.changed.connect(settings.append)
    dialog.themes[ThemeChoice.DARK].click()
    dialog.sizes[TextSize.LARGE].click()
    dialog.tabs.setCurrentIndex(1)
    qtbot.mouseClick(dialog.clock, Qt.MouseButton.LeftButton)
    qtbot.keyClick(dialog.pace, Qt.Key.Key_Space)
    assert len(settings) == 4
    assert settings[-1] == preferences.settings
    assert preferences.settings.theme is ThemeChoice.DARK
    assert preferences.settings.text_size is TextSize.LARGE
    assert preferences.settings.clock_shown
    assert not preferences.settings.pace_shown


def test_the_dialog_opens_with_the_current_settings(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    file = tmp_path / "own.toml"
    file.write_text('theme = "dark"\ntext_size = 130\nclock_shown = true\n', encoding="utf-8")
    parent = QWidget()
    qtbot.addWidget(parent)
    page = PreferencesPage(PreferencesStore(file), load_keymap())
    shown = PreferencesDialog(Appearance(qapp, ThemeChoice.LIGHT), page, parent)
    assert shown.themes[ThemeChoice.DARK].isChecked()
    assert shown.sizes[TextSize.LARGEST].isChecked()
    assert shown.clock.isChecked()


def test_tab_goes_to_what_is_chosen_and_the_arrows_from_there(
    dialog: PreferencesDialog, qtbot: QtBot
) -> None:
    dialog.sizes[TextSize.LARGE].click()
    dialog.tabs.tabBar().setFocus()
    stops = []
    for _ in range(2):
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        stops.append(dialog.focusWidget())
    assert stops == [dialog.themes[ThemeChoice.SYSTEM], dialog.sizes[TextSize.LARGE]]
    qtbot.keyClick(stops[-1], Qt.Key.Key_Left)
    assert (
        dialog.focusWidget()
        is dialog.sizes[list(TextSize)[list(TextSize).index(TextSize.LARGE) - 1]]
    )
    assert not dialog.sizes[TextSize.LARGE].isChecked()


def test_a_key_is_changed_by_pressing_it(
    keys: PreferencesDialog, qtbot: QtBot, preferences: PreferencesStore
) -> None:
    keys.keys.table.choose(Action.SUBMIT)
    qtbot.mouseClick(keys.keys.change, Qt.MouseButton.LeftButton)
    catcher = keys.keys.catcher
    assert catcher.hasFocus()
    assert "Submit answer" in catcher.text()
    qtbot.keyClick(catcher, Qt.Key.Key_Control, CONTROL)
    assert catcher.isVisible()
    qtbot.keyClick(catcher, Qt.Key.Key_U, CONTROL)
    assert not catcher.isVisible()
    assert preferences.settings.keys == {Action.SUBMIT: (parse_key("Ctrl+U"),)}
    assert keys.keys.table.hasFocus()
    assert keys.keys.reset.isEnabled()


def test_a_conflicting_key_is_refused_immediately(
    keys: PreferencesDialog, qtbot: QtBot, preferences: PreferencesStore
) -> None:
    keys.keys.ask_for_key(Action.SUBMIT)
    qtbot.keyClick(keys.keys.catcher, Qt.Key.Key_P, CONTROL)
    assert keys.error_banner.isVisible()
    assert "Ctrl+P would be used for both" in keys.error_banner.sentence
    assert preferences.settings.keys == {}


def test_escape_leaves_the_keys_and_the_dialog_as_they_are(
    keys: PreferencesDialog, qtbot: QtBot, preferences: PreferencesStore
) -> None:
    keys.keys.ask_for_key(Action.SUBMIT)
    qtbot.keyClick(keys.keys.catcher, Qt.Key.Key_Escape)
    assert not keys.keys.catcher.isVisible()
    assert keys.isVisible()
    assert preferences.settings.keys == {}


def test_a_click_elsewhere_cancels(keys: PreferencesDialog, preferences: PreferencesStore) -> None:
    keys.keys.ask_for_key(Action.SUBMIT)
    keys.keys.filter.setFocus()
    assert not keys.keys.catcher.isVisible()
    assert preferences.settings.keys == {}


def test_one_or_all_are_reset(
    keys: PreferencesDialog, qtbot: QtBot, preferences: PreferencesStore
) -> None:
    for action, key in ((Action.SUBMIT, Qt.Key.Key_F15), (Action.PAUSE, Qt.Key.Key_F16)):
        keys.keys.ask_for_key(action)
        qtbot.keyClick(keys.keys.catcher, key)
    assert set(preferences.settings.keys) == {Action.SUBMIT, Action.PAUSE}
    keys.keys.table.choose(Action.SUBMIT)
    qtbot.mouseClick(keys.keys.reset, Qt.MouseButton.LeftButton)
    assert set(preferences.settings.keys) == {Action.PAUSE}
    qtbot.mouseClick(keys.keys.reset_all, Qt.MouseButton.LeftButton)
    assert preferences.settings.keys == {}
    assert not keys.keys.reset_all.isEnabled()


def test_the_table_is_narrowed_by_title_place_or_key(keys: PreferencesDialog, qtbot: QtBot) -> None:
    table = keys.keys.table
    qtbot.keyClicks(keys.keys.filter, "ctrl pause")
    assert shown_actions(keys) == {Action.PAUSE, Action.PAUSE_REVIEW}
    keys.keys.filter.clear()
    assert shown_actions(keys) == set(Action)
    assert table.chosen is not None


def shown_actions(dialog: PreferencesDialog) -> set[Action]:
    table = dialog.keys.table
    places = [table.topLevelItem(n) for n in range(table.topLevelItemCount())]
    items = [p.child(n) for p in places if not p.isHidden() for n in range(p.childCount())]
    return {Action(item.data(0, Qt.ItemDataRole.UserRole)) for item in items if not item.isHidden()}


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "named"),
    [
        (Qt.Key.Key_J, CONTROL, "\n", "Ctrl+J"),
        (Qt.Key.Key_Question, SHIFT, "?", "?"),
        (Qt.Key.Key_J, SHIFT, "J", "Shift+J"),
        (Qt.Key.Key_Plus, Qt.KeyboardModifier.KeypadModifier, "+", "+"),
        (Qt.Key.Key_PageDown, NONE, "", "PgDown"),
        (Qt.Key.Key_F9, CONTROL | SHIFT, "", "Ctrl+Shift+F9"),
        (Qt.Key.Key_Return, NONE, "\r", "Return"),
        (Qt.Key.Key_Tab, NONE, "\t", "Tab"),
    ],
)
def test_a_pressed_key_is_named_as_the_keymap_names_it(
    key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str, named: str
) -> None:
    pressed = key_text(QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text))
    assert pressed == named
    assert str(parse_key(pressed)) == named
