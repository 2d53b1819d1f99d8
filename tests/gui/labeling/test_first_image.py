"""The first image comes before the tools for classes, and no one notices."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from labeler.app.study.home_cards import HomeCardKind
from labeler.core.labeling.trial import TrialState
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.labeling.workbench_docks import WorkbenchDocks
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.window.idle_queue import IdleQueue
from tests.gui.window_session import CONTROL, WindowSession


class Bare:
    """A labeler at the first image, for whom the docks are filled when the test wants it."""

    def __init__(self, session: WindowSession, fill: Callable[[], None]) -> None:
        self.session = session
        self.fill = fill

    @property
    def made(self) -> set[str]:
        return {"finder", "class_view", "taxonomy", "guide"} & set(vars(self.session.tools))

    def places(self) -> list[QRect]:
        """Where the image, the answer and the docks stand."""
        screen = self.session.screen
        parts: list[QWidget] = [screen.image, screen.answer, screen.docks.a_class]
        return [part.geometry() for part in parts]


@pytest.fixture
def bare(at_home: WindowSession, monkeypatch: pytest.MonkeyPatch) -> Bare:
    fill = WorkbenchDocks.fill
    monkeypatch.setattr(WorkbenchDocks, "fill", lambda _docks: None)
    button = at_home.home().cards[HomeCardKind.EVALUATE].button
    assert button is not None
    at_home.click(button)
    at_home.wait_for(RulesScreen)
    at_home.press(Qt.Key.Key_Return)
    at_home.wait_for(WorkbenchScreen)
    at_home.wait(lambda: _is_shown(at_home))
    return Bare(at_home, lambda: fill(at_home.screen.docks))


def _is_shown(session: WindowSession) -> bool:
    trial = session.workbench.trial
    return trial is not None and trial.state is not TrialState.WAITING


def test_the_tools_come_after_the_image_and_move_nothing(bare: Bare) -> None:
    before = bare.places()
    assert bare.made == set()

    bare.fill()
    bare.session.wait_until_settled()

    assert bare.made == {"finder", "class_view"}
    assert bare.places() == before
    assert bare.session.field.hasFocus()


def test_what_is_typed_before_there_is_a_search_field_searches(bare: Bare) -> None:
    bare.session.type_in("mar")

    assert bare.session.field.text() == "mar"
    assert bare.session.field.hasFocus()
    assert bare.session.field.isVisible()
    assert bare.session.in_focus is not None
    bare.fill()
    bare.session.press(Qt.Key.Key_M)
    bare.session.wait(lambda: bare.session.tools.query == "marm")


@pytest.mark.parametrize("key", [Qt.Key.Key_F, Qt.Key.Key_R, Qt.Key.Key_D])
def test_a_key_makes_what_it_needs(bare: Bare, key: Qt.Key) -> None:
    bare.session.press(key, CONTROL)

    tools = bare.session.tools
    wanted = {
        Qt.Key.Key_F: lambda: tools.finder,
        Qt.Key.Key_R: lambda: tools.class_view.panel,
        Qt.Key.Key_D: lambda: tools.taxonomy,
    }[key]()
    assert wanted.isVisible()


def test_a_note_keeps_the_focus_while_the_docks_are_filled(bare: Bare) -> None:
    bare.session.press(Qt.Key.Key_N, CONTROL)
    note = bare.session.screen.answer.note
    assert note.hasFocus()

    bare.fill()
    bare.session.wait_until_settled()

    assert note.hasFocus()


def test_one_thing_is_done_after_another(qtbot: QtBot) -> None:
    done: list[str] = []
    parent = QObject()
    steps = IdleQueue(lambda: done.append("a"), lambda: done.append("b"), parent=parent)

    with qtbot.waitSignal(steps.finished):
        steps.start()
        assert done == []

    assert done == ["a", "b"]
    with qtbot.waitSignal(steps.finished):
        steps.start()
    steps.start()
    steps.stop()
    with qtbot.assertNotEmitted(steps.finished, wait=1):
        pass
