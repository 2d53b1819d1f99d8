"""The study itself and its phases."""

from sqlalchemy import BigInteger, LargeBinary, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.study.entities import ParticipantKind, Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.schema.base import Base, checksum_column, enum_column, foreign_key, integer_key


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
    """A person's name, in a separate table so that no other query includes it."""

    __tablename__ = "person"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    name: Mapped[str]


class StudyRow(Base):
    """A single row: the study, and the taxonomy it was made with."""

    __tablename__ = "study"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    identity: Mapped[str] = mapped_column(Uuid(as_uuid=False))
    name: Mapped[str]
    seed: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[str]
    created_with: Mapped[str]
    taxonomy_version: Mapped[str]
    taxonomy: Mapped[bytes] = mapped_column(LargeBinary)
    settings: Mapped[str] = mapped_column(default="{}")
    taxonomy_checksum: Mapped[int | None] = checksum_column()


class PhaseRow(Base):
    __tablename__ = "phase"

    phase: Mapped[Phase] = enum_column(Phase, "phase", primary_key=True)
    state: Mapped[PhaseState] = enum_column(PhaseState, "state")
    opened_at: Mapped[str | None]
    locked_at: Mapped[str | None]
