"""The states of the phases, and the facts for their rules."""

from collections import Counter

from sqlalchemy import ColumnElement, CompoundSelect, Select, and_, exists, func, or_, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.hidden_repeats import FIRST_ASKING
from labeler.core.study.entities import Role, SessionTask
from labeler.core.study.phases import EvaluationProgress, Phase, PhaseRuleFacts, PhaseState
from labeler.store.datasets.image_roles import ImageRoles
from labeler.store.datasets.samples import Samples
from labeler.store.schema import (
    NotShownRow,
    ParticipantRow,
    PhaseRow,
    PredictionRow,
    ProblematicRow,
    RepeatedPredictionRow,
    SampleImageRow,
    SampleRow,
    TrialRow,
)
from labeler.store.study.participants import Participants


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

    def facts(self, *, progress: bool = True) -> PhaseRuleFacts:
        """Return everything that decides whether a phase can be opened or locked.

        Without `progress`, answers aren't counted, which takes longest in a large study.
        """
        participants = Participants(self._session, self._clock)
        memberships = ImageRoles(self._session)
        samples = Samples(self._session, self._clock)
        labelers = tuple(p.code for p in participants.with_role(Role.LABELER))
        return PhaseRuleFacts(
            states=self.states(),
            evaluation_images=memberships.evaluation_images(),
            training_images=memberships.training_pool_size(),
            sample_images=samples.size(),
            repeated_images=samples.repeated_images(),
            labelers=labelers,
            reviewers=tuple(p.code for p in participants.with_role(Role.REVIEWER)),
            progress=self._progress(labelers, samples) if progress else (),
            trained_on_sample=tuple(samples.trained_on()),
        )

    def _progress(
        self, labelers: tuple[str, ...], samples: Samples
    ) -> tuple[EvaluationProgress, ...]:
        total = samples.size() + samples.repeated_images()
        answered = self._counts(_answered_counts_query()) + self._counts(_repeats_query(_REPEATED))
        flagged_repeats = self._counts(_repeats_query(and_(_REPEAT_FLAGGED, ~_REPEATED)))
        set_aside = self._counts(_flagged_counts_query()) + flagged_repeats
        # With a sample, only progress on the sample counts.
        imported = Counter() if total else self._counts(_imported_counts_query())
        return tuple(
            EvaluationProgress(
                code,
                answered.get(code, 0),
                total,
                set_aside=set_aside.get(code, 0),
                imported=imported.get(code, 0),
            )
            for code in labelers
        )

    def _counts(self, query: Select[str, int]) -> Counter[str]:
        return Counter(dict(self._session.execute(query).all()))

    def _row(self, phase: Phase) -> PhaseRow:
        row = self._session.get(PhaseRow, phase)
        if row is None:
            row = PhaseRow(phase=phase, state=PhaseState.CLOSED)
            self._session.add(row)
        return row


_IN_SAMPLE = (
    select(SampleImageRow.image_id)
    .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
    .where(SampleRow.retired_at.is_(None))
)


def _answered_counts_query() -> Select[str, int]:
    """Count the sampled images that each participant answered."""
    return (
        select(ParticipantRow.code, func.count(func.distinct(PredictionRow.image_id)))
        .join(ParticipantRow, ParticipantRow.id == PredictionRow.participant_id)
        .where(PredictionRow.task == SessionTask.EVALUATE, PredictionRow.image_id.in_(_IN_SAMPLE))
        .group_by(ParticipantRow.code)
    )


# A hidden repeat with an answer.
_REPEATED = exists().where(RepeatedPredictionRow.trial_id == TrialRow.id).correlate(TrialRow)
_REPEAT_FLAGGED = or_(
    exists().where(
        ProblematicRow.repeated_trial_id == TrialRow.id, ProblematicRow.withdrawn_at.is_(None)
    ),
    exists().where(NotShownRow.trial_id == TrialRow.id, NotShownRow.withdrawn_at.is_(None)),
)


def _repeats_query(condition: ColumnElement[bool]) -> Select[str, int]:
    """Count the hidden repeats of the sample of which the condition is true."""
    return (
        select(ParticipantRow.code, func.count())
        .select_from(TrialRow)
        .join(ParticipantRow, ParticipantRow.id == TrialRow.participant_id)
        .where(TrialRow.task == SessionTask.EVALUATE, TrialRow.asking > FIRST_ASKING)
        .where(TrialRow.image_id.in_(_IN_SAMPLE), condition)
        .group_by(ParticipantRow.code)
    )


def _imported_counts_query() -> Select[str, int]:
    """Count the images that each participant answered elsewhere, without a trial."""
    return (
        select(ParticipantRow.code, func.count(func.distinct(PredictionRow.image_id)))
        .join(ParticipantRow, ParticipantRow.id == PredictionRow.participant_id)
        .where(PredictionRow.task == SessionTask.EVALUATE, PredictionRow.trial_id.is_(None))
        .group_by(ParticipantRow.code)
    )


def _flagged_counts_query() -> Select[str, int]:
    """Count the sampled images that each participant flagged and didn't answer."""
    flagged = _flagged_images_query().subquery()
    answered = exists().where(
        PredictionRow.participant_id == flagged.c.participant_id,
        PredictionRow.image_id == flagged.c.image_id,
        PredictionRow.task == SessionTask.EVALUATE,
    )
    return (
        select(ParticipantRow.code, func.count())
        .join(flagged, flagged.c.participant_id == ParticipantRow.id)
        .where(~answered)
        .group_by(ParticipantRow.code)
    )


def _flagged_images_query() -> CompoundSelect[int | None, int]:
    problematic = select(ProblematicRow.participant_id, ProblematicRow.image_id).where(
        ProblematicRow.withdrawn_at.is_(None),
        ProblematicRow.repeated_trial_id.is_(None),
        ProblematicRow.image_id.in_(_IN_SAMPLE),
    )
    not_shown = (
        select(TrialRow.participant_id, TrialRow.image_id)
        .select_from(NotShownRow)
        .join(TrialRow, TrialRow.id == NotShownRow.trial_id)
        .where(NotShownRow.withdrawn_at.is_(None), TrialRow.image_id.in_(_IN_SAMPLE))
        .where(TrialRow.asking == FIRST_ASKING)
    )
    return problematic.union(not_shown)
