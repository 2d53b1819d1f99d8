"""Simulated people who train, answer the evaluation and review."""

import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.labeling.session import BaseLabelingSession
from labeler.app.progress import ProgressReporter
from labeler.app.review.session import ReviewSession
from labeler.app.training.session import TrainingLabelingSession
from labeler.core.clock import stamp
from labeler.core.labeling.active_time import IDLE_AFTER_MS, TimeSpent, TrialVisit
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.labeling.trial_order import TrialOrder
from labeler.core.review.blind_types import BlindVisit, CommittedVerdict, OwnFlag
from labeler.core.study.entities import Stage
from labeler.core.training.request import TrainingRequest
from labeler.demo.people.simulated_people import (
    PictureReader,
    SimulatedLabeler,
    seeded_random,
    simulated_answer,
    simulated_attention,
    simulated_flag,
    simulated_verdict,
)
from labeler.store.study_store import StudyStore

_FIRST_DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)


class SimulatedCalendar:
    """A clock that is set by the simulation, so that the finished demo is always the same."""

    def __init__(self) -> None:
        self._now = _FIRST_DAY
        self._ms = 0

    def monotonic_ms(self) -> int:
        return self._ms

    def utc(self) -> datetime:
        return self._now

    def morning_of(self, day: int) -> None:
        """Set the time to the morning of a day, counted from the first."""
        self._now = _FIRST_DAY + timedelta(days=day)

    def pass_ms(self, milliseconds: int) -> None:
        self._ms += milliseconds
        self._now += timedelta(milliseconds=milliseconds)


_VERDICT_MS = 4_000


@dataclass(frozen=True, slots=True)
class SimulatedWork:
    """Does the work of simulated people, image by image, without repeating what is done."""

    store: StudyStore
    calendar: SimulatedCalendar
    reader: PictureReader
    progress: ProgressReporter

    def train(
        self, person: SimulatedLabeler, request: TrainingRequest, *, day: int, of: int
    ) -> None:
        """Train a person on day `day` of `of`, or continue an interrupted training."""
        with self.store.read() as study:
            opened = study.training.current(person.code)
            started = study.training.count(person.code)
        if opened is None and started > day:
            return
        own = replace(request, seed=seeded_random(person.code, str(day)).getrandbits(30))
        session = TrainingLabelingSession(self.store, person.code, own if opened is None else None)
        try:
            begin = session.begin()
            trial = begin.first
            while trial is not None:
                self._answer(session, person, begin.session_id, trial, days_to_train=of - day)
                trial = TrialOrder(session.feedback(trial).trials).first_waiting()
            session.finish()
        finally:
            session.end()

    def evaluate(self, person: SimulatedLabeler) -> None:
        """Answer all open trials of a person, and lock the answers."""
        with self.store.read() as study:
            if study.labeling.is_locked(person.code):
                return
        session = EvaluationSession(self.store, person.code)
        try:
            begin = session.begin()
            for trial in session.trials():
                if trial.waits:
                    self._answer(session, person, begin.session_id, trial.trial_id)
                    self.progress.advance()
            session.lock()
        finally:
            session.end()

    def review(self, reviewer: str, stage: Stage, *, flags: bool) -> None:
        """Judge all open labels of a reviewer; with `flags`, also flag images."""
        session = ReviewSession(self.store, reviewer, stage)
        try:
            begin = session.begin()
            for visit in session.visits():
                if visit.waits:
                    self._judge(session, reviewer, stage, visit, begin.session_id, flags=flags)
                self.progress.advance()
            for check in begin.checks:
                with self.store.read() as study:
                    file = study.review.flag_checks.image_file(check.check_id)
                found = simulated_flag(self.reader.look_at(file.path))
                session.answer_check(check.check_id, found or OwnFlag(frozenset()))
        finally:
            session.end()

    def _judge(
        self,
        session: ReviewSession,
        reviewer: str,
        stage: Stage,
        visit: BlindVisit,
        session_id: str,
        *,
        flags: bool,
    ) -> None:
        with self.store.read() as study:
            file = study.review.reviewing.image_file(visit.visit_id)
        seen, taxonomy = self.reader.look_at(file.path), self.store.taxonomy
        self.calendar.pass_ms(_VERDICT_MS)
        session.commit(
            [
                CommittedVerdict(
                    visit_id=visit.visit_id,
                    label=label.wnid,
                    own=simulated_verdict(reviewer, stage, seen, label.wnid, taxonomy),
                    at=stamp(self.calendar.utc()),
                    active_ms=_VERDICT_MS // len(visit.labels),
                    session_id=session_id,
                )
                for label in visit.labels
                if label.own is None
            ]
        )
        found = simulated_flag(seen) if flags else None
        if found is not None:
            session.flag(visit.visit_id, found)

    def _answer(
        self,
        session: BaseLabelingSession,
        person: SimulatedLabeler,
        session_id: str,
        trial_id: str,
        *,
        days_to_train: int = 0,
    ) -> None:
        seen = self.reader.look_at(self._file(trial_id))
        given = simulated_answer(person, seen, self.store.taxonomy, days_to_train=days_to_train)
        rng = seeded_random(person.code, "attention", seen.key)
        intervals = simulated_attention(self.calendar.monotonic_ms(), given.active_ms, rng)
        shown_at = stamp(self.calendar.utc())
        wall_ms = intervals[-1].ended_ms - intervals[0].started_ms
        visits = (TrialVisit(session_id, intervals),)
        self.calendar.pass_ms(wall_ms)
        session.answers.commit(
            CommittedAnswer(
                answer_id=str(uuid.uuid4()),
                trial_id=trial_id,
                session_id=session_id,
                label=given.label,
                alternative=given.alternative,
                shown_at=shown_at,
                submitted_at=stamp(self.calendar.utc()),
                active_ms=TimeSpent(visits, wall_ms).active_ms(idle_after_ms=IDLE_AFTER_MS),
                wall_ms=wall_ms,
                visits=visits,
            )
        )

    def _file(self, trial_id: str) -> Path:
        with self.store.read() as study:
            return study.labeling.image_file(trial_id).path
