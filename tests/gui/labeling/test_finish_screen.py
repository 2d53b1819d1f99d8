"""The end of the task: a clear moment, and no lock by accident."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.labeling.finish import FinishPresenter
from labeler.app.study.preferences import ThemeChoice
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.trial_order import TrialOrder
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.labeling.finish_screen import FinishScreen
from labeler.ui.window.theme import Appearance

MARKED = (3, 12)
FLAGGED = 7
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def screen(qtbot: QtBot, qapp: QApplication) -> FinishScreen:
    trials = [
        BlindTrial(
            f"opaque-{n}", n, 60, answered=n != FLAGGED, flagged=n == FLAGGED, marked=n in MARKED
        )
        for n in range(1, 61)
    ]
    appearance = Appearance(qapp, ThemeChoice.LIGHT)
    made = FinishScreen(appearance, load_keymap(), FinishPresenter(TrialOrder(trials)))
    qtbot.addWidget(made)
    made.resize(1264, 736)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def test_a_marked_trial_can_be_gone_back_to(screen: FinishScreen, qtbot: QtBot) -> None:
    assert screen.heading.text() == "All 59 images are answered"
    assert screen.marked.buttons[0].hasFocus()
    with qtbot.waitSignal(screen.go_back_wanted) as wanted:
        qtbot.mouseClick(screen.marked.buttons[1], Qt.MouseButton.LeftButton)
    assert wanted.args == ["opaque-12"]


def test_a_flagged_image_can_be_gone_back_to(screen: FinishScreen, qtbot: QtBot) -> None:
    assert "1 image is flagged" in screen.unanswered.text()
    with qtbot.waitSignal(screen.go_back_wanted) as wanted:
        qtbot.mouseClick(screen.flagged.buttons[0], Qt.MouseButton.LeftButton)
    assert wanted.args == ["opaque-7"]


def test_all_answers_can_be_looked_through_by_mouse_and_by_the_key_that_goes_back(
    screen: FinishScreen, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(screen.look_through_wanted):
        qtbot.mouseClick(screen.look_through, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(screen.look_through_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_F7)


def test_trials_are_named_by_their_place_and_nothing_else(screen: FinishScreen) -> None:
    everything = screen.findChildren(QWidget)
    texts = [each.text() for each in everything if isinstance(each, QLabel)]
    texts += [each.accessibleName() + each.toolTip() for each in everything]
    assert "Image 12" in texts
    assert not any("opaque" in text for text in texts)


def test_locking_takes_two_presses_and_the_second_is_never_in_focus(
    screen: FinishScreen, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(screen.lock_wanted):
        qtbot.mouseClick(screen.ask, Qt.MouseButton.LeftButton)
        assert screen.keep_open.hasFocus()
        qtbot.keyClick(screen.keep_open, Qt.Key.Key_Return)
    assert screen.ask.isVisible()
    assert not screen.lock.isVisible()
    screen.ask.click()
    with qtbot.waitSignal(screen.lock_wanted):
        qtbot.mouseClick(screen.lock, Qt.MouseButton.LeftButton)
    assert not screen.lock.isEnabled()


def test_every_button_of_the_question_has_its_key_and_esc_cancels(
    screen: FinishScreen, qtbot: QtBot
) -> None:
    qtbot.keyClick(screen, Qt.Key.Key_L, CONTROL | SHIFT)
    assert screen.ask.isVisible(), "nothing locks that wasn't asked for"
    qtbot.keyClick(screen, Qt.Key.Key_L, CONTROL)
    assert screen.lock.isVisible()
    qtbot.keyClick(screen, Qt.Key.Key_Escape)
    assert screen.ask.isVisible()
    qtbot.keyClick(screen, Qt.Key.Key_L, CONTROL)
    with qtbot.waitSignal(screen.lock_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_L, CONTROL | SHIFT)
    keys = {
        screen.look_through: "F7",
        screen.ask: "Ctrl L",
        screen.later: "Ctrl W",
        screen.keep_open: "Esc",
        screen.lock: "Ctrl Shift L",
    }
    assert {button: caps(button) for button in keys} == keys


def caps(button: CommandButton) -> str:
    return button.findChild(KeyCaps).accessibleName()


def test_the_question_moves_nothing(screen: FinishScreen) -> None:
    before = screen.heading.mapTo(screen, screen.heading.rect().topLeft())
    screen.ask.click()
    QApplication.processEvents()
    assert screen.lock.isVisible()
    assert screen.heading.mapTo(screen, screen.heading.rect().topLeft()) == before


def test_enter_held_down_from_the_last_trial_locks_nothing(
    screen: FinishScreen, qtbot: QtBot
) -> None:
    with (
        qtbot.assertNotEmitted(screen.lock_wanted),
        qtbot.assertNotEmitted(screen.go_back_wanted),
    ):
        for _ in range(50):
            QApplication.sendEvent(QApplication.focusWidget(), held(Qt.Key.Key_Return))
    assert screen.ask.isVisible()
    assert not screen.lock.isVisible()


def held(key: Qt.Key) -> QKeyEvent:
    kind, none = QEvent.Type.KeyPress, Qt.KeyboardModifier.NoModifier
    return QKeyEvent(kind, key, none, "\r", True, 1)


def test_a_double_click_asks_once_and_locks_once(screen: FinishScreen, qtbot: QtBot) -> None:
    sent: list[int] = []
    screen.lock_wanted.connect(lambda: sent.append(1))
    qtbot.mouseDClick(screen.ask, Qt.MouseButton.LeftButton)
    screen.ask.click()
    for _ in range(2):
        qtbot.mouseDClick(screen.lock, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(screen.lock, Qt.MouseButton.LeftButton)
    assert sent == [1]


def test_once_locked_there_is_only_the_way_home(screen: FinishScreen, qtbot: QtBot) -> None:
    screen.ask.click()
    screen.lock.click()
    screen.locked()
    assert screen.heading.text() == "Your answers are locked. Thank you."
    assert not screen.marked.isVisible()
    assert not screen.flagged.isVisible()
    assert not screen.ask.isVisible()
    assert screen.home.hasFocus()
    with qtbot.waitSignal(screen.home_wanted):
        qtbot.keyClick(screen.home, Qt.Key.Key_Return)


def test_a_lock_that_failed_is_reported_and_can_be_tried_again(screen: FinishScreen) -> None:
    screen.ask.click()
    screen.lock.click()
    screen.failed("The disk is full: free some space.")
    assert screen.error_banner.sentence == "The disk is full: free some space."
    assert screen.ask.isVisible()
    screen.ask.click()
    assert screen.lock.isEnabled()
