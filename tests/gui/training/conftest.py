"""A small study with a training pool, and labeler A before the window."""

from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.ui.window.navigation import LaunchRequest
from tests.gui.small_study import SmallStudy, copied
from tests.gui.training_session import Training
from tests.gui.training_study import make_training_study
from tests.gui.window_session import WindowSession


@pytest.fixture(scope="session")
def training_study_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_training_study(tmp_path_factory.mktemp("training"))


@pytest.fixture
def study(training_study_once: Path, tmp_path: Path) -> SmallStudy:
    return copied(training_study_once, tmp_path / "study")


@pytest.fixture
def open_home(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> Callable[[], Training]:
    """Opens the window, as often as wanted, at the home of labeler A."""

    def open_it() -> Training:
        session = open_session(LaunchRequest(study=study.folder))
        session.sign_in()
        return Training(session)

    return open_it


@pytest.fixture
def training(open_home: Callable[[], Training]) -> Training:
    made = open_home()
    made.begin()
    return made
