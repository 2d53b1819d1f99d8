"""Where a labeler's time goes: each part of the workbench counts as its place, the rest doesn't."""

from collections.abc import Callable, Iterator
from itertools import groupby

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from labeler.core.study.entities import AttentionPlace
from labeler.ui.kit.input.attention_watcher import AttentionWatcher
from labeler.ui.study.preferences_dialog import PreferencesDialog
from labeler.ui.window.about_dialog import AboutDialog
from labeler.ui.window.key_sheet_dialog import KeySheetDialog
from labeler.ui.window.workers import Workers
from tests.gui.held_runner import HeldRunner
from tests.gui.small_study import BEAVER
from tests.gui.window_session import CONTROL, SHIFT, WindowSession

# The screenless platform says so whenever a dialog has a size of its own, or a menu opens.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Room:
    """A workbench of two parts and a rest, with what the watcher told."""

    def __init__(self, qtbot: QtBot) -> None:
        self.reported: list[object] = []
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.workbench = QWidget()
        self.image, self.search, self.rest = QWidget(), QLineEdit(), QWidget()
        for whole, parts in (
            (self.workbench, (self.image, self.search, self.rest)),
            (self.window, (self.workbench,)),
        ):
            column = QVBoxLayout(whole)
            for part in parts:
                column.addWidget(part)
        self.watcher = AttentionWatcher(
            self.workbench,
            places=lambda: {self.image: AttentionPlace.IMAGE, self.search: AttentionPlace.SEARCH},
            attend=self.reported.append,
            turn_away=lambda: self.reported.append("away"),
            input_made=lambda: self.reported.append("input"),
        )
        self.window.show()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.watcher.start()
        self.watcher.watch_inputs()

    def taken(self) -> list[object]:
        """What was reported since; one input may pass through several widgets."""
        texts = [each for each, _again in groupby(self.reported)]
        self.reported.clear()
        return texts


@pytest.fixture
def room(qtbot: QtBot) -> Iterator[Room]:
    made = Room(qtbot)
    yield made
    made.watcher.stop()


def test_an_input_in_another_part_changes_the_place_once(room: Room, qtbot: QtBot) -> None:
    qtbot.mouseClick(room.image, Qt.MouseButton.LeftButton)
    assert room.taken() == ["input"], "a trial begins at its image"
    qtbot.keyClicks(room.search, "ab")
    assert room.taken() == [AttentionPlace.SEARCH, "input"]
    qtbot.mouseClick(room.rest, Qt.MouseButton.LeftButton)
    assert room.taken() == ["input"], "elsewhere on the workbench the place stays as it is"
    qtbot.mouseClick(room.image, Qt.MouseButton.LeftButton)
    assert room.taken() == [AttentionPlace.IMAGE, "input"]


def test_another_window_in_front_is_reported_and_so_is_coming_back(
    room: Room, qtbot: QtBot
) -> None:
    qtbot.keyClick(room.search, "a")
    room.taken()
    other = QLineEdit()
    qtbot.addWidget(other)
    other.show()
    qtbot.waitUntil(other.isActiveWindow)
    qtbot.keyClicks(other, "not for the trial")
    assert room.taken() == ["away"]
    room.window.activateWindow()
    qtbot.waitUntil(room.window.isActiveWindow)
    assert room.taken() == [AttentionPlace.SEARCH]


def test_a_stopped_watcher_tells_nothing(room: Room, qtbot: QtBot) -> None:
    room.watcher.stop()
    qtbot.keyClick(room.search, "a")
    assert room.taken() == []


def test_a_watcher_started_again_is_back_at_the_image(room: Room, qtbot: QtBot) -> None:
    qtbot.keyClick(room.search, "a")
    room.watcher.start()
    room.taken()
    qtbot.keyClick(room.search, "b")
    assert room.taken() == [AttentionPlace.SEARCH, "input"]


# On the real workbench.


def _touch(part: QWidget) -> None:
    QTest.mouseClick(part, Qt.MouseButton.LeftButton, pos=part.rect().center())


def test_every_part_of_the_workbench_is_stored_as_its_place(at_work: WindowSession) -> None:
    tools, clock = at_work.tools, at_work.clock
    clock.go_on(seconds=1)
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_S, CONTROL)
    clock.go_on(seconds=2)
    at_work.press(Qt.Key.Key_D, CONTROL)
    _touch(tools.taxonomy.tree.viewport())
    at_work.press(Qt.Key.Key_F, CONTROL)  # the key is pressed there, and leads away
    clock.go_on(seconds=3)
    at_work.press(Qt.Key.Key_Escape)
    at_work.type_in("beaver")
    _touch(at_work.sights.panel.grid.viewport())
    clock.go_on(seconds=4)
    at_work.press(Qt.Key.Key_K, CONTROL)
    _touch(at_work.sights.comparison)
    clock.go_on(seconds=5)
    at_work.press(Qt.Key.Key_F1)
    at_work.wait(tools.guide.isVisible)
    _touch(tools.guide.page.viewport())
    clock.go_on(seconds=6)
    _touch(at_work.screen.image.canvas)
    clock.go_on(seconds=7)
    at_work.choose("beaver")
    at_work.press(Qt.Key.Key_Return, CONTROL)
    at_work.wait_for_trial(2)
    stored = [(place, ms) for place, ms in at_work.study.intervals() if ms]
    assert stored == [
        ("image", 1000),
        ("search", 2000),
        ("taxonomy", 3000),
        ("references", 4000),
        ("comparison", 5000),
        ("guide", 6000),
        ("image", 7000),
    ]
    inputs = at_work.study.inputs()
    assert set(inputs) == {"image", "search", "taxonomy", "references", "comparison", "guide"}
    assert inputs["search"] > len("beaver") * 2


def _about(session: WindowSession) -> type[QDialog]:
    session.press(Qt.Key.Key_F1, SHIFT)
    return AboutDialog


def _keys(session: WindowSession) -> type[QDialog]:
    session.press(Qt.Key.Key_Slash, CONTROL)
    return KeySheetDialog


def _settings(session: WindowSession) -> type[QDialog]:
    session.press(Qt.Key.Key_Comma, CONTROL)
    return PreferencesDialog


def test_a_dialog_in_front_does_not_count(at_work: WindowSession) -> None:
    for ask in (_about, _keys, _settings):
        at_work.clock.go_on(seconds=1)
        kind = ask(at_work)
        dialog = at_work.dialog(kind)
        at_work.wait(dialog.isActiveWindow)
        at_work.clock.go_on(seconds=8)
        dialog.close()
        at_work.come_back()
    assert _active_seconds(at_work) == 3


def test_a_pause_does_not_count(at_work: WindowSession) -> None:
    at_work.clock.go_on(seconds=1)
    at_work.press(Qt.Key.Key_P, CONTROL)
    at_work.clock.go_on(seconds=8)
    at_work.press(Qt.Key.Key_P, CONTROL)
    at_work.clock.go_on(seconds=1)
    assert _active_seconds(at_work) == 2


def test_another_window_in_front_does_not_count(at_work: WindowSession, qtbot: QtBot) -> None:
    at_work.clock.go_on(seconds=1)
    other = QLineEdit()
    qtbot.addWidget(other)
    other.show()
    qtbot.waitUntil(other.isActiveWindow)
    at_work.clock.go_on(seconds=8)
    at_work.come_back()
    at_work.clock.go_on(seconds=1)
    assert _active_seconds(at_work) == 2


def _active_seconds(session: WindowSession) -> float:
    """Answer the trial, and tell how much time was stored as active."""
    session.answer("beaver")
    [(active_ms, wall_ms)] = session.study.read("SELECT active_ms, wall_ms FROM prediction")
    assert wall_ms > active_ms
    assert session.study.labels() == [(1, BEAVER)]
    return active_ms / 1000


def test_coming_back_to_a_trial_adds_to_its_time_and_keeps_the_first(
    at_work: WindowSession,
) -> None:
    at_work.clock.go_on(seconds=3)
    at_work.answer("beaver")
    at_work.clock.go_on(seconds=1)
    at_work.press(Qt.Key.Key_F7)
    at_work.wait_for_trial(1)
    at_work.clock.go_on(seconds=4)
    at_work.answer("marmot")
    assert at_work.study.read("SELECT active_ms FROM prediction ORDER BY revision") == [
        (3000,),
        (7000,),
    ]


def test_no_time_runs_before_the_image_is_on_the_screen(
    open_session: Callable[..., WindowSession],
) -> None:
    decoding = HeldRunner()
    session = open_session(workers=Workers(decoding=decoding))
    session.sign_in()
    session.begin()
    decoding.hold = True
    session.choose("beaver")
    session.press(Qt.Key.Key_Return)
    session.wait(lambda: session.position == 2)
    session.clock.go_on(seconds=5)
    decoding.let_go()
    session.wait_for_trial(2)
    session.clock.go_on(seconds=2)
    session.answer("marmot")
    assert session.study.read(
        "SELECT active_ms, wall_ms FROM prediction JOIN trial ON trial.id = trial_id"
        " WHERE position = 2"
    ) == [(2000, 2000)]
