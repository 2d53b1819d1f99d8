"""Sessions: who worked in which role on which task, and when."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role, SessionTask
from labeler.store.schema import (
    GuideVisitRow,
    ParticipantRoleRow,
    ParticipantRow,
    SessionRow,
)
from labeler.store.study.folder import StudyFolder
from labeler.store.study.session_locks import is_session_locked

TAKEN_OVER = (
    "You continued in another window, so this one was closed. What you did last here wasn't stored."
)


class SessionTakenOver(RefusedError):
    """The participant continues in another window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A recorded session; one without an end is still running or was interrupted."""

    session_id: str
    role: Role
    task: SessionTask
    program_version: str
    started_at: str
    ended_at: str | None


class Sessions:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def begin(
        self, participant: str, *, role: Role, task: SessionTask, program_version: str
    ) -> str:
        """Start a session in one of the participant's roles and return its id."""
        person = person_id(self._session, participant)
        require_role(self._session, participant, role)
        row = SessionRow(
            id=str(uuid.uuid4()),
            participant_id=person,
            role=role,
            task=task,
            program_version=program_version,
            started_at=stamp(self._clock.utc()),
        )
        self._session.add(row)
        self._session.flush()
        return row.id

    def add_missing(
        self,
        session_ids: Iterable[str],
        participant: str,
        *,
        role: Role,
        task: SessionTask,
        program_version: str,
        at: str,
    ) -> None:
        """Add ended sessions that a restored backup doesn't have, for decisions made in them."""
        person = person_id(self._session, participant)
        for session_id in set(session_ids):
            if self._session.get(SessionRow, session_id) is None:
                row = SessionRow(
                    id=session_id,
                    participant_id=person,
                    role=role,
                    task=task,
                    program_version=program_version,
                    started_at=at,
                    ended_at=at,
                )
                self._session.add(row)
        self._session.flush()

    def end(self, session_id: str) -> None:
        """End the session; later calls have no effect."""
        row = self._session.get(SessionRow, session_id)
        if row is None:
            raise RefusedError("The study has no such session. Sign in again.")
        row.ended_at = row.ended_at or stamp(self._clock.utc())
        self._session.flush()

    def touch(self, session_id: str) -> None:
        """Record that the session is active now."""
        active = update(SessionRow).where(SessionRow.id == session_id)
        self._session.execute(active.values(active_at=stamp(self._clock.utc())))

    def require_running(self, session_id: str) -> None:
        """Refuse to work on in a session that another window has ended."""
        ended = select(SessionRow.ended_at).where(SessionRow.id == session_id)
        if self._session.scalar(ended) is not None:
            raise SessionTakenOver(TAKEN_OVER)

    def others_open(
        self, participant: str, *, task: SessionTask, folder: StudyFolder, since: datetime
    ) -> list[str]:
        """Return the participant's sessions at the task that are open in a window.

        Where the disk has no locks, or on a server, a session counts that was active since then.
        """
        query = select(SessionRow).where(
            SessionRow.participant_id == person_id(self._session, participant),
            SessionRow.task == task,
            SessionRow.ended_at.is_(None),
        )
        shares_folder = self._session.get_bind().dialect.name == "sqlite"
        found = []
        for row in self._session.scalars(query):
            locked = is_session_locked(folder, row.id)
            recent = (row.active_at or row.started_at) >= stamp(since)
            if locked or (recent and (locked is None or not shares_folder)):
                found.append(row.id)
        return found

    def is_open(self, participant: str, *, task: SessionTask, since: datetime) -> bool:
        """Return whether a session at the task has no end and was active since that moment."""
        active = func.coalesce(SessionRow.active_at, SessionRow.started_at) >= stamp(since)
        query = select(SessionRow.id).where(
            SessionRow.participant_id == person_id(self._session, participant),
            SessionRow.task == task,
            SessionRow.ended_at.is_(None),
            active,
        )
        return self._session.scalar(query.limit(1)) is not None

    def record_guide_visit(
        self, session_id: str, page: str, *, trial_id: str | None, guide_version: str
    ) -> None:
        """Record that the person opened a guide page, and during which trial."""
        row = self._session.get(SessionRow, session_id)
        if row is None:
            raise RefusedError("The study has no such session. Sign in again.")
        visit = GuideVisitRow(
            participant_id=row.participant_id,
            session_id=session_id,
            trial_id=trial_id,
            page=page,
            guide_version=guide_version,
            at=stamp(self._clock.utc()),
        )
        self._session.add(visit)
        self._session.flush()

    def of(self, participant: str) -> list[SessionRecord]:
        """Return the participant's sessions, oldest first."""
        person = person_id(self._session, participant)
        query = select(SessionRow).where(SessionRow.participant_id == person)
        rows = self._session.scalars(query.order_by(SessionRow.started_at, SessionRow.id))
        return [_session_record(row) for row in rows]


def person_id(session: Session, code: str) -> int:
    """Return the participant's id; an unknown code is refused without naming other participants."""
    found = session.scalar(select(ParticipantRow.id).where(ParticipantRow.code == code))
    if found is None:
        raise RefusedError(
            f"The study has no participant '{code}'. Sign in with the code that the lead gave you."
        )
    return found


def require_role(session: Session, code: str, role: Role) -> None:
    """Refuse a role that the participant doesn't have, naming those that they have."""
    query = (
        select(ParticipantRoleRow.role)
        .join(ParticipantRow, ParticipantRow.id == ParticipantRoleRow.participant_id)
        .where(ParticipantRow.code == code)
    )
    roles_held = set(session.scalars(query))
    if role not in roles_held:
        roles = ", ".join(sorted(roles_held)) or "none"
        raise RefusedError(
            f"'{code}' doesn't have the role {role} (roles: {roles}). "
            "Choose another role, or ask the lead to assign it."
        )


def _session_record(row: SessionRow) -> SessionRecord:
    return SessionRecord(
        session_id=row.id,
        role=row.role,
        task=row.task,
        program_version=row.program_version,
        started_at=row.started_at,
        ended_at=row.ended_at,
    )
