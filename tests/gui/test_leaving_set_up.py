"""Whoever leaves Set up while something is under way is asked first, and may stay."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from labeler.app.people import add_person
from labeler.app.presenters.set_up_steps import Step
from labeler.app.studies import new_study
from labeler.core.study import Role
from labeler.ui.screens.home import HomeScreen
from labeler.ui.screens.set_up import SetUpScreen
from labeler.ui.set_up.images import ImagesPanel
from labeler.ui.shell import Wish
from labeler.ui.workers import Workers
from tests.adjustable_clock import AdjustableClock
from tests.gui.held_runner import HeldRunner
from tests.gui.leading import confirmation, set_up, words_of
from tests.gui.sitting import CONTROL, Sitting

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def held() -> HeldRunner:
    return HeldRunner()


@pytest.fixture
def lead(
    sit_down: Callable[..., Sitting], tmp_path: Path, clock: AdjustableClock, held: HeldRunner
) -> Sitting:
    """The lead of an empty study, whose long work can be held back."""
    with new_study(tmp_path / "first", clock=clock, name="First study") as store:
        add_person(store, "L", roles=[Role.LEAD])
    sitting = sit_down(Wish(study=tmp_path / "first"), workers=Workers(background=held))
    sitting.sign_in_screen()
    sitting.type_in("L")
    sitting.press(Qt.Key.Key_Return)
    sitting.home()
    return sitting


@pytest.fixture
def adding(lead: Sitting, held: HeldRunner, pictures: Path) -> SetUpScreen:
    """An import is under way, and as long as anybody wants."""
    screen = set_up(lead)
    panel = screen.panels[Step.IMAGES]
    assert isinstance(panel, ImagesPanel)
    panel.look_at(pictures)
    lead.wait(panel.add.isEnabled)
    held.hold = True
    lead.click(panel.add)
    return screen


def test_home_asks_before_it_stops_an_import(lead: Sitting, adding: SetUpScreen) -> None:
    lead.click(adding.home)
    asked = confirmation()
    assert "Adding val is under way, and stops if you leave." in words_of(asked)
    assert "What was done so far is kept" in words_of(asked)
    assert (asked.do.words, asked.cancel.words) == ("Stop and go home", "Stay here")
    lead.click(asked.cancel)
    assert lead.window.screen_shown is adding
    assert adding.work.isVisible(), "it goes on"


def test_homes_key_asks_too_and_goes_when_told_to(lead: Sitting, adding: SetUpScreen) -> None:
    lead.press(Qt.Key.Key_W, CONTROL)
    lead.click(confirmation().do)
    lead.wait_for(HomeScreen)


def test_home_asks_nothing_while_nothing_is_under_way(lead: Sitting) -> None:
    lead.click(set_up(lead).home)
    lead.wait_for(HomeScreen)


def test_closing_the_window_asks_first(
    lead: Sitting, adding: SetUpScreen, held: HeldRunner, pictures: Path
) -> None:
    handle = lead.window.windowHandle()
    handle.close()
    lead.click(confirmation().cancel)
    assert lead.window.isVisible()
    lead.press(Qt.Key.Key_Q, CONTROL)
    asked = confirmation()
    assert asked.do.words == "Stop and close"
    held.let_go()
    lead.click(asked.do)
    lead.wait(lambda: not lead.window.isVisible())
    assert QApplication.activeModalWidget() is None
