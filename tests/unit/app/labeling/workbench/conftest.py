"""An open evaluation, and labelers who sit down at its workbench."""

from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.app.study.phases import open_phase
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.labeling.workbench.workbench_sitting import Sitting


@pytest.fixture
def evaluated(healthy: Path, clock: AdjustableClock) -> StudyStore:
    store = open_study(healthy, clock=clock)
    open_phase(store, Phase.EVALUATE)
    return store


@pytest.fixture
def sit_down(evaluated: StudyStore, clock: AdjustableClock) -> Callable[[], Sitting]:
    return lambda: Sitting(evaluated, clock)


@pytest.fixture
def sitting(sit_down: Callable[[], Sitting]) -> Sitting:
    return sit_down().begin()
