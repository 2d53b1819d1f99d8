"""Keys that a person changes work at once, and are shown at once."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import Action, Scope, load_keymap, parse_key
from labeler.app.labeling.rules import rules_view
from labeler.app.study.key_overrides import with_overrides
from labeler.app.study.preferences import ThemeChoice
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.window.actions import bind_scope, update_shortcuts
from labeler.ui.window.theme import Appearance

CHANGED = with_overrides(
    load_keymap(),
    {
        Action.FIND_CLASS: (parse_key("F17"),),
        Action.PAUSE: (parse_key("F18"),),
        Action.QUIT: (parse_key("F14"),),
    },
)


def test_a_bound_action_works_by_its_new_key_alone(qtbot: QtBot) -> None:
    window, done = QWidget(), []
    qtbot.addWidget(window)
    handlers = {b.action: lambda a=b.action: done.append(a) for b in CHANGED.of(Scope.WINDOW)}
    window.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    bind_scope(window, load_keymap(), Scope.WINDOW, handlers)
    window.show()
    window.setFocus()
    qtbot.waitUntil(window.hasFocus)
    update_shortcuts(window, CHANGED)
    qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert done == []
    qtbot.keyClick(window, Qt.Key.Key_F14)
    assert done == [Action.QUIT]


def test_the_home_and_the_rules_follow(qtbot: QtBot, qapp: QApplication) -> None:
    appearance, keymap = Appearance(qapp, ThemeChoice.LIGHT), load_keymap()
    home = HomeScreen(appearance, keymap)
    rules = RulesScreen(
        appearance, keymap, rules_view(images=60, idle_seconds=120, questions=frozenset())
    )
    window = QWidget()
    qtbot.addWidget(window)
    both = QVBoxLayout(window)
    both.addWidget(home)
    both.addWidget(rules)
    window.setMinimumSize(1264, 736)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    update_shortcuts(window, CHANGED)
    assert "F17" in caps(home)
    assert "F18" in caps(rules)
    home.classes.setFocus()
    with qtbot.waitSignal(home.classes_wanted):
        qtbot.keyClick(home.classes, Qt.Key.Key_F17)


def caps(screen: QWidget) -> set[str]:
    return {each.accessibleName() for each in screen.findChildren(KeyCaps)}
