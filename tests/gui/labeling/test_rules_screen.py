"""The rules: all of them on one page, and Enter begins."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.labeling.rules import rules_view
from labeler.app.study.preferences import ThemeChoice
from labeler.core.labeling.answers import Question
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.window.theme import Appearance
from tests.gui.window_session import CONTROL, WindowSession

VIEW = rules_view(images=60, idle_seconds=120, questions=frozenset(Question))


@pytest.fixture
def screen(qtbot: QtBot, qapp: QApplication) -> RulesScreen:
    made = RulesScreen(Appearance(qapp, ThemeChoice.LIGHT), load_keymap(), VIEW)
    qtbot.addWidget(made)
    made.resize(1264, 736)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def test_every_rule_is_shown_with_its_keys(screen: RulesScreen) -> None:
    texts = [each.text() for each in screen.findChildren(QLabel)]
    for number, rule in enumerate(VIEW.rules, start=1):
        assert texts.count(str(number)) == 1
        assert rule.heading in texts
        assert rule.text in texts
    caps = {each.accessibleName() for each in screen.findChildren(KeyCaps)}
    assert {"Ctrl E", "Ctrl P", "F1 or Ctrl R"} <= caps


def test_the_page_needs_no_scrolling_in_the_smallest_window(screen: RulesScreen) -> None:
    assert screen.verticalScrollBar().maximum() == 0


def test_who_reads_the_rules_again_goes_home_from_them(qtbot: QtBot, qapp: QApplication) -> None:
    view = rules_view(images=60, idle_seconds=120, questions=frozenset(Question), again=True)
    screen = RulesScreen(Appearance(qapp, ThemeChoice.LIGHT), load_keymap(), view, again=True)
    qtbot.addWidget(screen)
    screen.resize(1264, 736)
    screen.show()
    qtbot.waitUntil(screen.isActiveWindow)
    assert not screen.begin.isVisible()
    with qtbot.waitSignal(screen.home_wanted):
        qtbot.keyClick(screen.home, Qt.Key.Key_Return)


def test_enter_begins_and_there_is_a_way_back(screen: RulesScreen, qtbot: QtBot) -> None:
    assert screen.begin.hasFocus()
    with qtbot.waitSignal(screen.begin_wanted):
        qtbot.keyClick(screen.begin, Qt.Key.Key_Return)
    with qtbot.waitSignal(screen.home_wanted):
        qtbot.mouseClick(screen.home, Qt.MouseButton.LeftButton)


def test_the_rules_can_be_read_again_and_begin_nothing(at_work: WindowSession) -> None:
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.home()
    at_work.press(Qt.Key.Key_F2)
    at_work.wait_for(RulesScreen)
    at_work.press(Qt.Key.Key_Return)
    assert at_work.home().rules.isVisible()
