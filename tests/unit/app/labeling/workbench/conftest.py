"""An open evaluation, and labelers who sit down at its workbench."""

from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.app.study.phases import open_phase
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.labeling.workbench.workbench_driver import WorkbenchDriver


@pytest.fixture
def evaluated(healthy: Path, clock: AdjustableClock) -> StudyStore:
    store = open_study(healthy, clock=clock)
    open_phase(store, Phase.EVALUATE)
    return store


@pytest.fixture
def open_session(evaluated: StudyStore, clock: AdjustableClock) -> Callable[[], WorkbenchDriver]:
    return lambda: WorkbenchDriver(evaluated, clock)


@pytest.fixture
def driver(open_session: Callable[[], WorkbenchDriver]) -> WorkbenchDriver:
    return open_session().begin()
