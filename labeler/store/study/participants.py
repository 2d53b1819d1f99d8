"""Participants, their roles, and people's names, which are only available to leads."""

from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import ColumnElement, delete, exists, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Participant, ParticipantKind, Role
from labeler.store.schema import ParticipantRoleRow, ParticipantRow, PersonRow
from labeler.store.schema.base import Base

_PARTICIPANT_TABLES = ("participant_role", "person")


def participant_foreign_keys() -> list[tuple[str, ColumnElement[int]]]:
    """Return every column that refers to a participant, except for roles and names."""
    return [
        (table.name, key.parent)
        for table in Base.metadata.sorted_tables
        for key in table.foreign_keys
        if key.column.table.name == "participant" and table.name not in _PARTICIPANT_TABLES
    ]


def tables_using_participant(session: Session, code: str) -> list[str]:
    """Return the tables with a row that refers to this participant."""
    participant = select(ParticipantRow.id).where(ParticipantRow.code == code)
    return [
        table
        for table, column in participant_foreign_keys()
        if session.scalar(select(exists().where(column.in_(participant))))
    ]


class Participants:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def add(self, participant: Participant, *, name: str | None = None) -> None:
        if self.find(participant.code) is not None:
            raise RefusedError(f"The study already has a participant '{participant.code}'.")
        row = ParticipantRow(
            code=participant.code,
            kind=participant.kind,
            description=participant.description,
            order_seed=participant.order_seed,
            added_at=stamp(self._clock.utc()),
        )
        self._session.add(row)
        self._session.flush()
        self._add_roles(row.id, participant.roles)
        if name:
            self._session.add(PersonRow(participant_id=row.id, name=name))
            self._session.flush()

    def find(self, code: str) -> Participant | None:
        row = self._session.scalar(select(ParticipantRow).where(ParticipantRow.code == code))
        if row is None:
            return None
        query = select(ParticipantRoleRow.role).where(ParticipantRoleRow.participant_id == row.id)
        return _participant(row, self._session.scalars(query))

    def all(self) -> list[Participant]:
        """Return all participants in the order they were added."""
        roles: dict[int, set[Role]] = defaultdict(set)
        given = select(ParticipantRoleRow.participant_id, ParticipantRoleRow.role)
        for participant_id, role in self._session.execute(given):
            roles[participant_id].add(role)
        rows = self._session.scalars(select(ParticipantRow).order_by(ParticipantRow.id))
        return [_participant(row, roles[row.id]) for row in rows]

    def with_role(self, role: Role) -> list[Participant]:
        return [participant for participant in self.all() if role in participant.roles]

    def set_roles(self, code: str, roles: Iterable[Role]) -> None:
        row = self._row(code)
        if row.kind is ParticipantKind.MODEL:
            raise RefusedError(f"'{code}' is a model; only people have roles.")
        self._session.execute(
            delete(ParticipantRoleRow).where(ParticipantRoleRow.participant_id == row.id)
        )
        self._add_roles(row.id, roles)

    def describe(self, code: str, description: str) -> None:
        self._row(code).description = description
        self._session.flush()

    def rename(self, code: str, name: str) -> None:
        """Set the person's name; an empty one removes it."""
        person = self._row(code).id
        self._session.execute(delete(PersonRow).where(PersonRow.participant_id == person))
        if name:
            self._session.add(PersonRow(participant_id=person, name=name))
            self._session.flush()

    def remove(self, code: str) -> None:
        """Delete a participant that nothing else in the study refers to."""
        row = self._row(code)
        for part in (ParticipantRoleRow, PersonRow):
            self._session.execute(delete(part).where(part.participant_id == row.id))
        self._session.delete(row)
        self._session.flush()

    def names(self) -> dict[str, str]:
        """Return the names by code; only for a lead who asks for them."""
        query = select(ParticipantRow.code, PersonRow.name).join(
            PersonRow, PersonRow.participant_id == ParticipantRow.id
        )
        return dict(self._session.execute(query).all())

    def name_of(self, code: str) -> str | None:
        """Return the person's name, which is stored separately."""
        query = select(PersonRow.name).where(PersonRow.participant_id == self._row(code).id)
        return self._session.scalar(query)

    def _add_roles(self, participant_id: int, roles: Iterable[Role]) -> None:
        for role in sorted(roles):
            self._session.add(ParticipantRoleRow(participant_id=participant_id, role=role))
        self._session.flush()

    def _row(self, code: str) -> ParticipantRow:
        row = self._session.scalar(select(ParticipantRow).where(ParticipantRow.code == code))
        if row is None:
            known = ", ".join(p.code for p in self.all()) or "none"
            raise RefusedError(
                f"The study has no participant '{code}'. The participants are: {known}."
            )
        return row


def _participant(row: ParticipantRow, roles: Iterable[Role]) -> Participant:
    return Participant(
        code=row.code,
        kind=row.kind,
        description=row.description,
        roles=frozenset(roles),
        order_seed=row.order_seed,
    )
