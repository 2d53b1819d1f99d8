"""Raw intervals of attention as the database keeps them."""

import struct
from collections.abc import Iterable, Sequence

from sqlalchemy import insert

from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.labeling.time_spent import TrialVisit
from labeler.store.engine.compiled_statements import CompiledStatement, table_of
from labeler.store.schema import IntervalRow

ADD_INTERVAL = CompiledStatement(insert(table_of(IntervalRow)))


def pack_inputs(inputs: Sequence[int]) -> bytes:
    """Moments as the database keeps them: 64-bit little-endian integers."""
    return struct.pack(f"<{len(inputs)}q", *inputs)


def unpack_inputs(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)


def interval_rows(
    trial_id: str, visits: Iterable[TrialVisit], *, after: int
) -> list[dict[str, object]]:
    """The visits' intervals, numbered on from those that the trial has."""
    by_session = [(visit.session, i) for visit in visits for i in visit.intervals]
    return [
        _interval_row(trial_id, session, number, interval)
        for number, (session, interval) in enumerate(by_session, start=after + 1)
    ]


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
        "inputs": pack_inputs(interval.inputs),
    }
