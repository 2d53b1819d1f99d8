"""Participants, their roles, and, apart from them, people's names."""

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.study.entities import ParticipantKind, Role
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key


class ParticipantRow(Base):
    __tablename__ = "participant"

    id: Mapped[int] = integer_key()
    code: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[ParticipantKind] = enum_column(ParticipantKind, "kind")
    description: Mapped[str] = mapped_column(default="")
    order_seed: Mapped[int] = mapped_column(BigInteger)
    added_at: Mapped[str]


class ParticipantRoleRow(Base):
    __tablename__ = "participant_role"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    role: Mapped[Role] = enum_column(Role, "role", primary_key=True)


class PersonRow(Base):
    """A person's name, in a table of its own so that no other query carries it along."""

    __tablename__ = "person"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    name: Mapped[str]
