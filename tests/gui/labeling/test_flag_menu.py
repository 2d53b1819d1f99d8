"""The menu that flags an image: it tells what is flagged, and takes it back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from labeler.app.labeling.evaluation_flow import FLAG_REMOVED_WAITS
from labeler.app.labeling.presenter import FLAGGED
from labeler.app.labeling.workbench_view import FLAG_TITLES
from labeler.core.labeling.answers import TrialFlag
from labeler.ui.labeling.workbench_screen import FlagMenu
from tests.gui.window_session import WindowSession

# The screenless platform says so of every menu.
pytestmark = pytest.mark.qt_log_ignore(
    "This plugin does not support raise",
    "This plugin does not support grabbing the keyboard",
    "This plugin does not support propagateSizeHints",
)


@pytest.fixture
def button(qtbot: QtBot) -> QPushButton:
    made = QPushButton("Flag image")
    qtbot.addWidget(made)
    made.show()
    return made


def test_what_is_flagged_is_ticked_and_can_be_taken_back(button: QPushButton, qtbot: QtBot) -> None:
    menu = FlagMenu(button)
    menu.offer(button, flags=frozenset({TrialFlag.INAPPROPRIATE}))
    ticked = {flag for flag, action in menu.reasons.items() if action.isChecked()}
    assert ticked == {TrialFlag.INAPPROPRIATE}
    with qtbot.waitSignal(menu.taken_back):
        menu.take_back.trigger()
    menu.close()


def test_nothing_is_ticked_or_taken_back_where_nothing_is_flagged(
    button: QPushButton, qtbot: QtBot
) -> None:
    menu = FlagMenu(button)
    menu.offer(button, flags=frozenset())
    assert not menu.take_back.isVisible()
    assert not any(action.isChecked() for action in menu.reasons.values())
    with qtbot.waitSignal(menu.flagged) as heard:
        menu.reasons[TrialFlag.NOT_SHOWN].trigger()
    assert heard.args == [TrialFlag.NOT_SHOWN]
    menu.close()


def test_a_flag_is_seen_on_return_and_taken_back_by_mouse(at_work: WindowSession) -> None:
    screen = at_work.screen
    at_work.click(screen.answer.flag)
    at_work.press(Qt.Key.Key_Down)
    at_work.press(Qt.Key.Key_Return)
    at_work.wait_for_trial(2)
    assert (
        FLAGGED.format(position=1, reason=FLAG_TITLES[TrialFlag.INAPPROPRIATE]) in at_work.texts()
    )
    at_work.come_back()
    at_work.press(Qt.Key.Key_F7)
    at_work.wait_for_trial(1)
    assert "Flagged: inappropriate" in at_work.texts()
    at_work.click(screen.answer.flag)
    assert [reason.isChecked() for reason in screen.flags.reasons.values()] == [False, True]
    screen.flags.close()
    assert screen.answer.flag.isChecked(), "nothing was chosen"
    screen.flags.take_back.trigger()
    assert FLAG_REMOVED_WAITS in at_work.texts()
    assert not screen.answer.flag.isChecked()
