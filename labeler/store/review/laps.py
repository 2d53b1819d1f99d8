"""The raw time of verdicts: every lap's intervals, once, however many verdicts share it."""

from collections.abc import Iterable

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.labeling.time_spent import TimeSpent, TrialVisit
from labeler.core.review.blind_types import Lap
from labeler.store.labeling.intervals import pack_inputs, unpack_inputs
from labeler.store.schema import LapIntervalRow, SessionRow


def store_laps(session: Session, laps: Iterable[tuple[str, Lap | None]]) -> None:
    """Store each lap of a session, in place of what was kept of it while it ran."""
    for session_id, lap in dict.fromkeys(laps):
        if lap is None:
            continue
        of_lap = LapIntervalRow.session_id == session_id, LapIntervalRow.lap == lap.number
        session.execute(delete(LapIntervalRow).where(*of_lap))
        rows = [
            _lap_interval_row(session_id, lap.number, number, interval)
            for number, interval in enumerate(lap.intervals, start=1)
        ]
        if rows:
            session.execute(insert(LapIntervalRow), rows)


def review_time(session: Session, person: int) -> TimeSpent:
    """All the time that a person reviewed, lap by lap, for whatever threshold is asked."""
    query = (
        select(LapIntervalRow)
        .join(SessionRow, SessionRow.id == LapIntervalRow.session_id)
        .where(SessionRow.participant_id == person)
        .order_by(LapIntervalRow.session_id, LapIntervalRow.lap, LapIntervalRow.number)
    )
    laps: dict[tuple[str, int], list[AttentionInterval]] = {}
    for row in session.scalars(query):
        interval = AttentionInterval(
            row.place, row.started_ms, row.ended_ms, unpack_inputs(row.inputs)
        )
        laps.setdefault((row.session_id, row.lap), []).append(interval)
    # A lap ends with an input, so that time counts the same whether laps are cut or joined.
    return TimeSpent(
        tuple(TrialVisit(session_id, tuple(parts)) for (session_id, _lap), parts in laps.items())
    )


def _lap_interval_row(
    session_id: str, lap: int, number: int, interval: AttentionInterval
) -> dict[str, object]:
    return {
        "session_id": session_id,
        "lap": lap,
        "number": number,
        "place": interval.place,
        "started_ms": interval.started_ms,
        "ended_ms": interval.ended_ms,
        "inputs": pack_inputs(interval.inputs),
    }
