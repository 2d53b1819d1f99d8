"""The keys of the study's leads."""

from dataclasses import dataclass, field

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.store.schema import LeadKeyRow
from labeler.store.sharing.sealing import LeadPrivateKeys, LeadPublicKeys


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLeadKeys:
    """A lead's keys as the study has them; the private part is locked with a passphrase."""

    name: str
    public: LeadPublicKeys
    locked: bytes = field(repr=False)
    made_at: str
    recovery_saved: bool


class LeadKeys:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def all(self) -> list[StoredLeadKeys]:
        """Return the keys in use, the oldest first."""
        query = select(LeadKeyRow).where(LeadKeyRow.retired_at.is_(None))
        rows = self._session.scalars(query.order_by(LeadKeyRow.made_at, LeadKeyRow.id))
        return [
            StoredLeadKeys(
                name=row.name,
                public=LeadPublicKeys(row.sealing_public, row.signing_public),
                locked=row.locked_private,
                made_at=row.made_at,
                recovery_saved=row.recovery_saved_at is not None,
            )
            for row in rows
        ]

    def add(self, name: str, keys: LeadPrivateKeys, *, locked: bytes) -> None:
        """Add a lead's keys; their recovery file isn't saved yet."""
        if any(known.name == name for known in self.all()):
            raise RefusedError(f"'{name}' has keys already. Choose another name.")
        row = LeadKeyRow(
            id=keys.public.fingerprint,
            name=name,
            sealing_public=keys.public.sealing,
            signing_public=keys.public.signing,
            locked_private=locked,
            made_at=stamp(self._clock.utc()),
        )
        self._session.add(row)
        self._session.flush()

    def mark_recovery_saved(self, fingerprint: str) -> None:
        saved = update(LeadKeyRow).where(LeadKeyRow.id == fingerprint)
        self._session.execute(saved.values(recovery_saved_at=stamp(self._clock.utc())))

    def replace_lock(self, fingerprint: str, locked: bytes) -> None:
        """Lock the same keys with another passphrase."""
        changed = update(LeadKeyRow).where(LeadKeyRow.id == fingerprint)
        self._session.execute(changed.values(locked_private=locked))
