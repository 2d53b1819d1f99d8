"""The phases' states, and the facts that the rules look at."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.phases import Phase, PhaseState, Progress, StudyFacts
from labeler.core.study import Role, Task
from labeler.store.memberships import Memberships
from labeler.store.participants import Participants
from labeler.store.samples import Samples
from labeler.store.schema import (
    ParticipantRow,
    PhaseRow,
    PredictionRow,
    SampleImageRow,
    SampleRow,
)


class Phases:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def states(self) -> dict[Phase, PhaseState]:
        rows = {row.phase: row.state for row in self._session.scalars(select(PhaseRow))}
        return {phase: rows.get(phase, PhaseState.CLOSED) for phase in Phase}

    def open(self, phase: Phase) -> None:
        row = self._row(phase)
        row.state = PhaseState.OPEN
        row.opened_at = stamp(self._clock.utc())
        row.locked_at = None

    def lock(self, phase: Phase) -> None:
        row = self._row(phase)
        row.state = PhaseState.LOCKED
        row.locked_at = stamp(self._clock.utc())

    def facts(self) -> StudyFacts:
        """Everything that decides which phase may open or lock."""
        participants = Participants(self._session, self._clock)
        memberships = Memberships(self._session)
        samples = Samples(self._session, self._clock)
        labelers = tuple(p.code for p in participants.with_role(Role.LABELER))
        return StudyFacts(
            states=self.states(),
            evaluation_images=memberships.evaluation_images(),
            training_images=memberships.training_pool_size(),
            sample_images=samples.size(),
            labelers=labelers,
            reviewers=tuple(p.code for p in participants.with_role(Role.REVIEWER)),
            progress=self._progress(labelers, samples.size()),
            trained_on_sample=tuple(samples.trained_on()),
        )

    def _progress(self, labelers: tuple[str, ...], total: int) -> tuple[Progress, ...]:
        query = (
            select(ParticipantRow.code, func.count(func.distinct(PredictionRow.image_id)))
            .join(ParticipantRow, ParticipantRow.id == PredictionRow.participant_id)
            .join(SampleImageRow, SampleImageRow.image_id == PredictionRow.image_id)
            .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
            .where(SampleRow.retired_at.is_(None), PredictionRow.task == Task.EVALUATE)
            .group_by(ParticipantRow.code)
        )
        answered = dict(self._session.execute(query).all())
        return tuple(Progress(code, answered.get(code, 0), total) for code in labelers)

    def _row(self, phase: Phase) -> PhaseRow:
        row = self._session.get(PhaseRow, phase)
        if row is None:
            row = PhaseRow(phase=phase, state=PhaseState.CLOSED)
            self._session.add(row)
        return row
