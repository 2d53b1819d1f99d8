"""The log of all deliberate changes to a study."""

import json
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.store.schema import AuditRow


@dataclass(frozen=True, slots=True)
class AuditEntry:
    at: str
    actor: str
    action: str
    detail: dict[str, object]


class AuditLog:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def record(self, action: str, *, actor: str = "lead", **detail: object) -> None:
        """Record a change, in the same transaction as the change itself."""
        contents = json.dumps(detail, ensure_ascii=False, sort_keys=True, default=str)
        at = stamp(self._clock.utc())
        self._session.add(AuditRow(at=at, actor=actor, action=action, detail=contents))

    def entries(self) -> list[AuditEntry]:
        """Return all entries, oldest first."""
        rows = self._session.scalars(select(AuditRow).order_by(AuditRow.id))
        return [AuditEntry(r.at, r.actor, r.action, json.loads(r.detail)) for r in rows]
