"""The search field takes text, and leaves to the keymap what the keymap has."""

from functools import partial

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.key_actions import ACTIVE_TOGETHER, Action, Scope
from labeler.app.keymap import Key, load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.ui.kit.input.search_field import SearchField
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

# A bare widget as a window tells the system its limits, which the offscreen platform remarks upon.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

KEYMAP = load_keymap()
IN_FORCE = next(scopes for scopes in ACTIVE_TOGETHER if Scope.CLASSES in scopes)
KEYS = [
    pytest.param(key, binding.action, id=str(key))
    for binding in KEYMAP.bindings
    if binding.scope in IN_FORCE
    for key in binding.keys
]


class Screen(QWidget):
    """A search field somewhere inside a screen that has every key in force bound."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.done: list[Action] = []
        self.field = SearchField(appearance, KEYMAP)
        QVBoxLayout(self).addWidget(self.field)
        for scope in IN_FORCE:
            actions = [binding.action for binding in KEYMAP.of(scope)]
            bind_scope(self, KEYMAP, scope, {a: partial(self.done.append, a) for a in actions})


@pytest.fixture
def screen(qtbot: QtBot, qapp: QApplication) -> Screen:
    made = Screen(Appearance(qapp, ThemeChoice.LIGHT))
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    made.field.setFocus()
    qtbot.keyClicks(made.field, "two words")
    return made


def press(screen: Screen, qtbot: QtBot, key: Key) -> None:
    if key.types_text:
        qtbot.keyClick(screen.field, key.name)
    else:
        combined = QKeySequence(str(key))[0]
        qtbot.keyClick(screen.field, combined.key(), combined.keyboardModifiers())


@pytest.mark.parametrize(("key", "action"), KEYS)
def test_every_key_in_force_reaches_its_action_from_the_middle_of_the_text(
    screen: Screen, qtbot: QtBot, key: Key, action: Action
) -> None:
    # While there is typing to undo, the field takes the undo key.
    screen.field.end_typing()
    screen.field.setCursorPosition(3)
    press(screen, qtbot, key)
    assert screen.done == [action]
    assert screen.field.text() == "two words"
    assert screen.field.cursorPosition() == 3


@pytest.mark.parametrize(("key", "action"), [k for k in KEYS if "Ctrl" in k.id or "Alt" in k.id])
def test_a_key_is_not_claimed_even_on_systems_where_it_edits_text(
    screen: Screen, key: Key, action: Action
) -> None:
    screen.field.end_typing()
    combined = QKeySequence(str(key))[0]
    modifiers = combined.keyboardModifiers()
    event = QKeyEvent(QEvent.Type.ShortcutOverride, combined.key(), modifiers)
    event.accept()
    screen.field.event(event)
    assert not event.isAccepted()


def test_a_key_that_the_keymap_has_not_is_left_to_the_field(screen: Screen) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_A, control)
    event.accept()
    screen.field.event(event)
    assert event.isAccepted()


@pytest.mark.parametrize(
    ("key", "modifier", "text"),
    [
        (Qt.Key.Key_Backspace, Qt.KeyboardModifier.NoModifier, "two word"),
        (Qt.Key.Key_Backspace, Qt.KeyboardModifier.ControlModifier, "two "),
        (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, ""),
    ],
)
def test_editing_keys_still_edit(
    screen: Screen,
    qtbot: QtBot,
    key: Qt.Key,
    modifier: Qt.KeyboardModifier,
    text: str,
) -> None:
    qtbot.keyClick(screen.field, key, modifier)
    assert screen.field.text() == text
    assert screen.done == []


def test_right_at_the_end_of_the_text_leads_out_of_the_field(screen: Screen, qtbot: QtBot) -> None:
    with qtbot.waitSignal(screen.field.went_right):
        qtbot.keyClick(screen.field, Qt.Key.Key_Right)


def test_right_elsewhere_moves_the_cursor_and_shift_selects(screen: Screen, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(screen.field.went_right):
        screen.field.setCursorPosition(3)
        qtbot.keyClick(screen.field, Qt.Key.Key_Right)
        assert screen.field.cursorPosition() == 4
        qtbot.keyClick(screen.field, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        assert screen.field.selectedText() == "w"
        screen.field.selectAll()
        qtbot.keyClick(screen.field, Qt.Key.Key_Right)
        assert not screen.field.hasSelectedText()
