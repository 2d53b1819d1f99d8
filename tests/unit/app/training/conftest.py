"""An open training with real pictures, and desks at which labeler A trains."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from labeler.app.study.phases import open_phase
from labeler.app.training.session import TrainingLabelingSession
from labeler.core.clock import stamp
from labeler.core.labeling.active_time import AttentionInterval, TrialVisit
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import AttentionPlace
from labeler.core.study.phases import Phase
from labeler.core.training.request import TrainingRequest
from labeler.store.schema import ClassRow, ImageRow, TrialRow
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock

FISH, DOG = "n01440764", "n02085620"


class Trainee:
    """A labeler at a training desk; a test knows the targets, the labeler doesn't."""

    def __init__(
        self, session: TrainingLabelingSession, store: StudyStore, clock: AdjustableClock
    ) -> None:
        self.session = session
        self.start = session.begin()
        self.trials = session.trials()
        self._store, self._clock = store, clock

    @property
    def waiting(self) -> str | None:
        return next((trial.trial_id for trial in self.trials if trial.waits), None)

    def target(self, trial_id: str) -> str:
        query = (
            select(ClassRow.wnid)
            .join(ImageRow, ImageRow.target_id == ClassRow.id)
            .join(TrialRow, TrialRow.image_id == ImageRow.id)
        )
        with self._store.read() as study:
            return study.session.scalars(query.where(TrialRow.id == trial_id)).one()

    def image(self, trial_id: str) -> int:
        with self._store.read() as study:
            return study.session.get_one(TrialRow, trial_id).image_id

    def answer(self, trial_id: str, label: str, **changes: Any) -> CommittedAnswer:
        now, session = stamp(self._clock.utc()), self.start.session_id
        fields = {
            "answer_id": str(uuid.uuid4()),
            "trial_id": trial_id,
            "session_id": session,
            "label": label,
            "shown_at": now,
            "submitted_at": now,
            "active_ms": 900,
            "wall_ms": 900,
            "visits": (TrialVisit(session, (AttentionInterval(AttentionPlace.IMAGE, 0, 900),)),),
        }
        return CommittedAnswer(**{**fields, **changes})

    def commit(self, trial_id: str, *, right: bool) -> None:
        target = self.target(trial_id)
        other = DOG if target == FISH else FISH
        self.session.answers.commit(self.answer(trial_id, target if right else other))
        self._clock.go_on(seconds=30)

    def do_next(self, *, right: bool):
        """Answer the trial that waits, and hear what is reported."""
        trial_id = self.waiting
        assert trial_id is not None
        self.commit(trial_id, right=right)
        result = self.session.feedback(trial_id)
        self.trials = result.trials
        return result


@pytest.fixture
def store(healthy: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    """A study whose training, of two fish and two dogs, is open."""
    with open_study(healthy, clock=clock) as opened:
        open_phase(opened, Phase.TRAIN)
        yield opened


@pytest.fixture
def train(store: StudyStore, clock: AdjustableClock) -> Iterator[Callable[..., Trainee]]:
    """Sits a labeler down to a training; all get up at the end."""
    sessions: list[TrainingLabelingSession] = []

    def sit(request: TrainingRequest | None = None, *, code: str = "A", **options) -> Trainee:
        sessions.append(TrainingLabelingSession(store, code, request, **options))
        return Trainee(sessions[-1], store, clock)

    yield sit
    for session in sessions:
        session.end()


@pytest.fixture
def trainee(train: Callable[..., Trainee]) -> Trainee:
    return train(TrainingRequest(seed=1))
