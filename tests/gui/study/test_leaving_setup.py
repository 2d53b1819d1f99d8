"""Leaving Set up or a step with unfinished work needs a confirmation."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from labeler.app.study.people import add_person
from labeler.app.study.setting_definitions import WASHOUT_DAYS
from labeler.app.study.settings import study_settings
from labeler.app.study.setup.confirmations import PART_KEPT, STOP_AND_GO_HOME
from labeler.app.study.setup.settings import PASSPHRASE_NOT_SET
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.study_setup import SETTINGS_SAVED
from labeler.app.study.start import PASSPHRASES_DIFFER
from labeler.app.study.studies import new_study
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.setup_controller import STOP_AND_CLOSE
from labeler.ui.study.setup.setup_screen import SetupScreen
from labeler.ui.window.navigation import LaunchRequest
from labeler.ui.window.workers import Workers
from tests.adjustable_clock import AdjustableClock
from tests.gui.held_runner import HeldRunner
from tests.gui.leading import confirmation, folder_of, go_to, set_up, words_of
from tests.gui.window_session import ALT, CONTROL, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def held() -> HeldRunner:
    return HeldRunner()


@pytest.fixture
def lead(
    open_session: Callable[..., WindowSession],
    tmp_path: Path,
    clock: AdjustableClock,
    held: HeldRunner,
) -> WindowSession:
    """The lead of an empty study, whose background tasks can be held back."""
    with new_study(tmp_path / "first", clock=clock, name="First study") as store:
        add_person(store, "L", roles=[Role.LEAD])
    session = open_session(
        LaunchRequest(study=tmp_path / "first"), workers=Workers(background=held)
    )
    session.sign_in_screen()
    session.type_in("L")
    session.press(Qt.Key.Key_Return)
    session.home()
    return session


@pytest.fixture
def adding(lead: WindowSession, held: HeldRunner, pictures: Path) -> SetupScreen:
    """An import is under way, and as long as anyone wants."""
    screen = set_up(lead)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    panel.preview_path(pictures)
    lead.wait(panel.add.isEnabled)
    held.hold = True
    lead.click(panel.add)
    return screen


def test_home_asks_before_it_stops_an_import(lead: WindowSession, adding: SetupScreen) -> None:
    lead.click(adding.home)
    asked = confirmation()
    assert "Adding val is in progress" in words_of(asked)
    assert PART_KEPT in words_of(asked)
    assert (asked.do.words, asked.cancel.words) == (STOP_AND_GO_HOME, "Stay here")
    lead.click(asked.cancel)
    assert lead.window.screen_shown is adding
    assert adding.work.isVisible(), "it continues"


def test_the_home_key_asks_too(lead: WindowSession, adding: SetupScreen) -> None:
    lead.press(Qt.Key.Key_W, CONTROL)
    lead.click(confirmation().do)
    lead.wait_for(HomeScreen)


def test_home_asks_nothing_while_no_task_runs(lead: WindowSession) -> None:
    lead.click(set_up(lead).home)
    lead.wait_for(HomeScreen)


def test_closing_the_window_asks_first(
    lead: WindowSession, adding: SetupScreen, held: HeldRunner, pictures: Path
) -> None:
    handle = lead.window.windowHandle()
    handle.close()
    lead.click(confirmation().cancel)
    assert lead.window.isVisible()
    lead.press(Qt.Key.Key_Q, CONTROL)
    asked = confirmation()
    assert asked.do.words == STOP_AND_CLOSE
    held.let_go()
    lead.click(asked.do)
    lead.wait(lambda: not lead.window.isVisible())
    assert QApplication.activeModalWidget() is None


def test_a_confirmation_closes_when_its_task_has_ended(
    lead: WindowSession, adding: SetupScreen, held: HeldRunner
) -> None:
    lead.click(adding.home)
    confirmation()
    held.let_go()
    lead.wait(lambda: QApplication.activeModalWidget() is None)
    lead.wait(lambda: "Added 4 images" in adding.said.sentence)
    assert lead.window.screen_shown is adding


@pytest.fixture
def changed(lead: WindowSession) -> SetupScreen:
    """A washout was entered but not applied."""
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    screen.settings.fields[WASHOUT_DAYS.name].set_value(30)
    return screen


def washout(session: WindowSession) -> int:
    with open_study(folder_of(session), clock=session.clock) as store:
        return study_settings(store).washout_days


def test_changes_can_be_applied_when_going_to_the_next_step(
    lead: WindowSession, changed: SetupScreen
) -> None:
    assert changed.next_button.isVisible()
    lead.click(changed.next_button)
    asked = confirmation()
    assert "a washout of 30 days instead of none" in words_of(asked)
    assert changed.settings.isVisible()
    lead.click(asked.do)
    lead.wait(changed.sample.isVisible)
    assert washout(lead) == 30
    assert SETTINGS_SAVED in changed.said.sentence


def test_leaving_a_step_can_be_cancelled_or_discard_changes(
    lead: WindowSession, changed: SetupScreen
) -> None:
    lead.press(Qt.Key.Key_4, ALT)
    lead.click(confirmation().cancel)
    assert changed.settings.isVisible()
    assert changed.steps[SetupStep.SETTINGS].isChecked()
    lead.click(changed.steps[SetupStep.PEOPLE])
    lead.click(confirmation().instead)
    assert changed.panels[SetupStep.PEOPLE].isVisible()
    assert (changed.settings.fields[WASHOUT_DAYS.name].value, washout(lead)) == (0, 0)
    go_to(lead, changed, SetupStep.SAMPLE)


def test_home_asks_about_unapplied_changes(lead: WindowSession, changed: SetupScreen) -> None:
    lead.press(Qt.Key.Key_W, CONTROL)
    lead.click(confirmation().do)
    lead.wait_for(HomeScreen)
    assert washout(lead) == 30


def test_closing_asks_about_unapplied_changes(lead: WindowSession, changed: SetupScreen) -> None:
    folder = folder_of(lead)
    lead.press(Qt.Key.Key_Q, CONTROL)
    lead.click(confirmation().do)
    lead.wait(lambda: not lead.window.isVisible())
    with open_study(folder, clock=lead.clock) as store:
        assert study_settings(store).washout_days == 30


def test_an_unconfirmed_passphrase_prevents_leaving(
    lead: WindowSession, changed: SetupScreen
) -> None:
    changed.settings.passphrase.setText("heron")
    lead.click(changed.home)
    asked = confirmation()
    assert PASSPHRASE_NOT_SET in words_of(asked)
    lead.click(asked.do)
    assert changed.error_banner.sentence == PASSPHRASES_DIFFER
    assert lead.window.screen_shown is changed
    changed.settings.take_back()
