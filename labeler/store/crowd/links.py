"""Links with which annotators reach their tasks in a browser."""

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.study.entities import Role
from labeler.store.schema import CrowdLinkRow, CrowdSecretRow, ParticipantRow
from labeler.store.study.sessions import person_id, require_role

_TOKEN_BYTES = 24
_ONLY_ROW = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorLink:
    """The state of a link; the link itself is known only when it is made."""

    participant: str
    made_at: str
    used_at: str | None
    revoked_at: str | None


class AnnotatorLinks:
    """One link for each annotator: it can be used once, and then becomes a cookie."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def make(self, code: str) -> str:
        """Return a new link's secret; earlier links and cookies of the annotator end."""
        require_role(self._session, code, Role.ANNOTATOR)
        self.revoke(code)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._session.add(
            CrowdLinkRow(
                participant_id=person_id(self._session, code),
                link_hash=_hash(token),
                made_at=stamp(self._clock.utc()),
            )
        )
        self._session.flush()
        return token

    def revoke(self, code: str) -> int:
        """End the annotator's links and cookies; return how many were in force."""
        row = CrowdLinkRow
        ended = (
            update(row)
            .where(row.participant_id == person_id(self._session, code), row.revoked_at.is_(None))
            .values(revoked_at=stamp(self._clock.utc()))
        )
        return int(self._session.connection().execute(ended).rowcount)

    def use(self, token: str) -> str | None:
        """Return the secret of a cookie for an unused link; None for any other text."""
        row = self._session.scalar(
            select(CrowdLinkRow).where(
                CrowdLinkRow.link_hash == _hash(token),
                CrowdLinkRow.used_at.is_(None),
                CrowdLinkRow.revoked_at.is_(None),
            )
        )
        if row is None:
            return None
        cookie = secrets.token_urlsafe(_TOKEN_BYTES)
        row.cookie_hash, row.used_at = _hash(cookie), stamp(self._clock.utc())
        self._session.flush()
        return cookie

    def is_unused(self, token: str) -> bool:
        """Return whether the link can still be used."""
        row = CrowdLinkRow
        query = select(row.id).where(
            row.link_hash == _hash(token), row.used_at.is_(None), row.revoked_at.is_(None)
        )
        return self._session.scalar(query) is not None

    def annotator(self, cookie: str) -> str | None:
        """Return the annotator's code; None for an unknown or revoked cookie."""
        query = (
            select(ParticipantRow.code)
            .join(CrowdLinkRow, CrowdLinkRow.participant_id == ParticipantRow.id)
            .where(CrowdLinkRow.cookie_hash == _hash(cookie), CrowdLinkRow.revoked_at.is_(None))
        )
        return self._session.scalar(query)

    def all(self) -> list[AnnotatorLink]:
        """Return all links, oldest first."""
        row = CrowdLinkRow
        query = (
            select(ParticipantRow.code, row.made_at, row.used_at, row.revoked_at)
            .join(ParticipantRow, ParticipantRow.id == row.participant_id)
            .order_by(row.id)
        )
        return [
            AnnotatorLink(participant=code, made_at=made, used_at=used, revoked_at=revoked)
            for code, made, used, revoked in self._session.execute(query)
        ]

    def study_secret(self) -> bytes:
        """Return the key of tokens and of hashed worker ids; made on first use."""
        row = self._session.get(CrowdSecretRow, _ONLY_ROW)
        if row is None:
            row = CrowdSecretRow(id=_ONLY_ROW, secret=secrets.token_hex(32))
            self._session.add(row)
            self._session.flush()
        return bytes.fromhex(row.secret)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
