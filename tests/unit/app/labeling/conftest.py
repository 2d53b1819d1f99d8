"""An open evaluation with real pictures, and desks at which labeler A answers it."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.study.phases import open_phase
from labeler.core.clock import stamp
from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.labeling.answers import AnswerDraft, CommittedAnswer
from labeler.core.study.entities import AttentionPlace
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock

DOG, CAT = "n02085620", "n02123045"


class LabelerDriver:
    """A labeler at a desk, from the beginning of a session on."""

    def __init__(self, session: EvaluationSession, clock: AdjustableClock) -> None:
        self.session = session
        self.start = session.begin()
        self.trials = session.trials()
        self._clock = clock

    def trial(self, position: int = 1) -> str:
        return self.trials[position - 1].trial_id

    def spent(self, start_ms: int = 0, end_ms: int = 900) -> TimeSpent:
        halfway = (start_ms + end_ms) // 2
        intervals = (
            AttentionInterval(AttentionPlace.IMAGE, start_ms, halfway, (start_ms + 5,)),
            AttentionInterval(AttentionPlace.SEARCH, halfway, end_ms),
        )
        return TimeSpent((TrialVisit(self.start.session_id, intervals),), end_ms - start_ms)

    def answer(self, position: int = 1, **changes: Any) -> CommittedAnswer:
        now = stamp(self._clock.utc())
        fields = {
            "answer_id": str(uuid.uuid4()),
            "trial_id": self.trial(position),
            "session_id": self.start.session_id,
            "label": DOG,
            "shown_at": now,
            "submitted_at": now,
            "active_ms": 900,
            "wall_ms": 900,
            "visits": self.spent().visits,
        }
        return CommittedAnswer(**{**fields, **changes})

    def kept(self, **changes: Any) -> AnswerDraft:
        fields = {"label": DOG, "note": "half a no", "since": self.spent(), "shown_at": "2026"}
        return AnswerDraft(**{**fields, **changes}, shortlist=(DOG, CAT), query="pugg")

    def answer_all(self) -> None:
        for trial in self.trials:
            self.session.answers.commit(self.answer(trial.position))


@pytest.fixture
def store(healthy: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    """A study whose evaluation of four images is open."""
    with open_study(healthy, clock=clock) as opened:
        open_phase(opened, Phase.EVALUATE)
        yield opened


@pytest.fixture
def open_session(
    store: StudyStore, clock: AdjustableClock
) -> Iterator[Callable[..., LabelerDriver]]:
    """Sits a labeler down at a desk of their own; all get up at the end."""
    sessions: list[EvaluationSession] = []

    def sit(code: str = "A") -> LabelerDriver:
        sessions.append(EvaluationSession(store, code))
        return LabelerDriver(sessions[-1], clock)

    yield sit
    for session in sessions:
        session.end()


@pytest.fixture
def driver(open_session: Callable[..., LabelerDriver]) -> LabelerDriver:
    return open_session()
