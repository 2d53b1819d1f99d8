"""Visits and their intervals as JSON, for the journal and for drafts."""

from typing import Any

from labeler.core.labeling.active_time import AttentionInterval, TrialVisit
from labeler.core.study.entities import AttentionPlace


def visit_to_json(visit: TrialVisit) -> dict[str, Any]:
    return {"session": visit.session, "intervals": [_written(i) for i in visit.intervals]}


def visit_from_json(fields: dict[str, Any]) -> TrialVisit:
    """Return the visit; invalid data raises ValueError, KeyError or TypeError."""
    session = fields["session"]
    if not isinstance(session, str):
        raise TypeError("a session's id was written here")
    return TrialVisit(session, tuple(_interval(i) for i in fields["intervals"]))


def _written(interval: AttentionInterval) -> dict[str, Any]:
    return {
        "place": interval.place.value,
        "started_ms": interval.started_ms,
        "ended_ms": interval.ended_ms,
        "inputs": list(interval.inputs),
    }


def _interval(fields: dict[str, Any]) -> AttentionInterval:
    return AttentionInterval(
        place=AttentionPlace(fields["place"]),
        started_ms=int(fields["started_ms"]),
        ended_ms=int(fields["ended_ms"]),
        inputs=tuple(int(moment) for moment in fields["inputs"]),
    )
