"""A study with an open review, and a reviewer who sits at it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.study.phases import open_phase
from labeler.core.clock import stamp
from labeler.core.review.blind_types import BlindVisit, CommittedVerdict, OwnVerdict
from labeler.core.study.entities import CorrectKind, Role, SessionTask, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.study_store import StudyStore
from tests.proposals import propose


@dataclass
class ReviewerDriver:
    """One reviewer at a stage of a study."""

    store: StudyStore
    code: str
    session_id: str
    stage: Stage

    def visits(self) -> list[BlindVisit]:
        with self.store.read() as study:
            return study.review.reviewing.visits(self.code, self.stage)

    def said(
        self,
        visit_id: str,
        label: str,
        verdict: Verdict | None,
        *,
        kind: CorrectKind | None = None,
        active_ms: int = 2_000,
    ) -> CommittedVerdict:
        return CommittedVerdict(
            visit_id=visit_id,
            label=label,
            own=None if verdict is None else OwnVerdict(verdict, kind),
            at=stamp(self.store.clock.utc()),
            active_ms=active_ms,
            session_id=self.session_id,
        )

    def say(self, visit_id: str, label: str, verdict: Verdict | None, **more: object) -> None:
        given = self.said(visit_id, label, verdict, **more)  # type: ignore[arg-type]
        with self.store.write() as study:
            study.review.reviewing.commit([given])

    def judge_all(self, verdict: Callable[[str], Verdict]) -> None:
        for visit in self.visits():
            for label in visit.labels:
                self.say(visit.visit_id, label.wnid, verdict(label.wnid))


def open_session(store: StudyStore, code: str, stage: Stage) -> ReviewerDriver:
    with store.write() as study:
        session_id = study.sessions.begin(
            code, role=Role.REVIEWER, task=SessionTask.REVIEW, program_version="test"
        )
    return ReviewerDriver(store, code, session_id, stage)


@pytest.fixture
def proposed(store: StudyStore, tmp_path: Path) -> StudyStore:
    propose(store, tmp_path / "exchange")
    return store


@pytest.fixture
def final(proposed: StudyStore) -> StudyStore:
    """A final review that is planned and open, every image to both reviewers."""
    plan_review(proposed, PlanSettings(stage=Stage.FINAL, overlap=2))
    open_phase(proposed, Phase.REVIEW)
    return proposed


@pytest.fixture
def driver(final: StudyStore) -> ReviewerDriver:
    return open_session(final, "R", Stage.FINAL)


@pytest.fixture
def other(final: StudyStore) -> ReviewerDriver:
    return open_session(final, "S", Stage.FINAL)
