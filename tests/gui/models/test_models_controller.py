"""The lead goes from home to the models and back; what is being scored goes on meanwhile."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt

from labeler.app.models.model_row import ModelAction, ModelState
from labeler.core.models.scoring import ModelSpec
from labeler.core.study.entities import Role
from labeler.ui.models.models_controller import ModelsController
from labeler.ui.models.models_screen import ModelsScreen
from tests.gui.window_session import ALT, CONTROL, WindowSession
from tests.scored_study import LOAD_SCORER
from tests.stand_in_worker import load_stand_in

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def lead(
    open_session: Callable[..., WindowSession], monkeypatch: pytest.MonkeyPatch
) -> WindowSession:
    monkeypatch.setattr(LOAD_SCORER, load_stand_in)
    monkeypatch.setattr("labeler.app.models.model_scoring.ModelScoring.catalogue", lambda _desk: [])
    session = open_session()
    screen = session.sign_in_screen()
    screen.code.selectAll()
    session.type_in("L")
    session.press(Qt.Key(Qt.Key.Key_1 + list(screen.roles).index(Role.LEAD)), ALT)
    session.press(Qt.Key.Key_Return)
    session.home()
    return session


def open_models(session: WindowSession) -> ModelsController:
    session.home()
    session.press(Qt.Key.Key_F10)
    session.wait_for(ModelsScreen)
    journey = session.window.findChild(ModelsController)
    assert isinstance(journey, ModelsController)
    session.wait(lambda: bool(journey.presenter.view().datasets))
    return journey


def state(journey: ModelsController) -> ModelState:
    (row,) = journey.presenter.view().rows
    return row.state


def test_scoring_continues_while_the_lead_is_elsewhere(lead: WindowSession) -> None:
    journey = open_models(lead)
    journey.presenter.add(ModelSpec(model="hangs", name="m"))
    journey.presenter.do("m", ModelAction.START)
    lead.wait(lambda: state(journey) is ModelState.RUNNING)
    lead.press(Qt.Key.Key_W, CONTROL)
    lead.home()
    assert open_models(lead) is journey
    assert state(journey) is ModelState.RUNNING


def test_scoring_ends_with_the_leads_sitting(lead: WindowSession) -> None:
    journey = open_models(lead)
    journey.presenter.add(ModelSpec(model="hangs", name="m"))
    journey.presenter.do("m", ModelAction.START)
    lead.wait(lambda: state(journey) is ModelState.RUNNING)
    lead.press(Qt.Key.Key_W, CONTROL)
    lead.home().sign_out_wanted.emit()
    lead.sign_in_screen()
    lead.wait(lambda: state(journey) is not ModelState.RUNNING)
