"""The time that is stored with a labeler's trials."""

import struct
from collections.abc import Iterable, Sequence

from sqlalchemy import Select, exists, func, insert, or_, select
from sqlalchemy.orm import Session, aliased

from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.study.entities import SessionTask
from labeler.store.engine.checksums import checksum, verified
from labeler.store.labeling.trial_tasks import EVALUATION, task_of
from labeler.store.schema import IntervalRow, PredictionRow, RepeatedPredictionRow, TrialRow


def pack_inputs(inputs: Sequence[int]) -> bytes:
    """Pack moments as 64-bit little-endian integers."""
    return struct.pack(f"<{len(inputs)}q", *inputs)


def packed_inputs(interval: AttentionInterval) -> dict[str, object]:
    """Return the columns with an interval's inputs and their checksum."""
    packed = pack_inputs(interval.inputs)
    return {"inputs": packed, "inputs_checksum": checksum(packed)}


def unpack_inputs(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)


def interval_rows(
    trial_id: str, visits: Iterable[TrialVisit], *, after: int
) -> list[dict[str, object]]:
    """Return the visits' intervals as rows, numbered after those that the trial has."""
    by_session = [(visit.session, i) for visit in visits for i in visit.intervals]
    return [
        _interval_row(trial_id, session_id, number, interval)
        for number, (session_id, interval) in enumerate(by_session, start=after + 1)
    ]


def add_intervals(session: Session, trial_id: str, visits: Iterable[TrialVisit]) -> None:
    """Store the visits' intervals."""
    numbers = select(func.max(IntervalRow.number)).where(IntervalRow.trial_id == trial_id)
    rows = interval_rows(trial_id, visits, after=session.scalar(numbers) or 0)
    if rows:
        session.execute(insert(IntervalRow), rows)


def _interval_row(
    trial_id: str, session_id: str, number: int, interval: AttentionInterval
) -> dict[str, object]:
    return {
        "trial_id": trial_id,
        "number": number,
        "session_id": session_id,
        "place": interval.place,
        "started_ms": interval.started_ms,
        "ended_ms": interval.ended_ms,
        **packed_inputs(interval),
    }


def stored_time(session: Session, trial: TrialRow) -> TimeSpent:
    """Return all time spent on the trial."""
    answers = task_of(trial).answers
    answered = session.scalar(select(func.max(answers.wall_ms)).where(answers.trial_id == trial.id))
    # Each is the time in all at its moment, so that the later one holds the earlier.
    wall_ms = max(answered or 0, trial.flagged_wall_ms or 0)
    return TimeSpent(_visits(session, trial.id), wall_ms)


def evaluation_active_ms(session: Session, person: int, *, idle_after_ms: int) -> int:
    """Return the active time of the evaluation: of last answers and of flagged trials."""
    flagged = list(session.scalars(_flagged_only(person)))
    # A sum is a decimal number to PostgreSQL.
    answered = (_answered_active_ms_query(person), _repeated_active_ms_query(person))
    return sum(int(session.scalar(query) or 0) for query in answered) + sum(
        TimeSpent(_visits(session, trial_id)).active_ms(idle_after_ms=idle_after_ms)
        for trial_id in flagged
    )


def _visits(session: Session, trial_id: str) -> tuple[TrialVisit, ...]:
    """Return the trial's intervals in order, grouped by visit."""
    query = select(IntervalRow).where(IntervalRow.trial_id == trial_id)
    visits: list[list[IntervalRow]] = []
    for row in session.scalars(query.order_by(IntervalRow.number)):
        if visits and _continues(visits[-1][-1], row):
            visits[-1].append(row)
        else:
            visits.append([row])
    return tuple(
        TrialVisit(rows[0].session_id, tuple(map(_interval_from_row, rows))) for rows in visits
    )


def _continues(before: IntervalRow, row: IntervalRow) -> bool:
    # Two windows on one trial may store the same stretch twice: such times don't follow.
    return before.session_id == row.session_id and before.ended_ms <= row.started_ms


def _interval_from_row(row: IntervalRow) -> AttentionInterval:
    inputs = verified(row.inputs, row.inputs_checksum, "attention_interval.inputs")
    return AttentionInterval(row.place, row.started_ms, row.ended_ms, unpack_inputs(inputs))


def _answered_active_ms_query(person: int) -> Select[int | None]:
    """Return the total active time of each image's last answer."""
    later = aliased(PredictionRow)
    corrected = exists().where(
        later.participant_id == PredictionRow.participant_id,
        later.image_id == PredictionRow.image_id,
        later.task == SessionTask.EVALUATE,
        later.revision > PredictionRow.revision,
    )
    return select(func.sum(PredictionRow.active_ms)).where(
        PredictionRow.participant_id == person, EVALUATION.is_prediction, ~corrected
    )


def _repeated_active_ms_query(person: int) -> Select[int | None]:
    """Return the total active time of the last answer to each hidden repeat."""
    answer, later = RepeatedPredictionRow, aliased(RepeatedPredictionRow)
    corrected = exists().where(
        later.participant_id == answer.participant_id,
        later.image_id == answer.image_id,
        later.asking == answer.asking,
        later.revision > answer.revision,
    )
    return select(func.sum(answer.active_ms)).where(answer.participant_id == person, ~corrected)


def _flagged_only(person: int) -> Select[str]:
    """Return the flagged trials without an answer."""
    answered = or_(
        exists().where(PredictionRow.trial_id == TrialRow.id),
        exists().where(RepeatedPredictionRow.trial_id == TrialRow.id),
    )
    return select(TrialRow.id).where(
        EVALUATION.is_trial_of(person), TrialRow.flagged_wall_ms.is_not(None), ~answered
    )
