"""Trainings with their trials, and the families of classes that people saved."""

from sqlalchemy import BigInteger, Index, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.training.request import Source, TrainingOrder
from labeler.store.schema.base import Base, choice, numbered, refers


class TrainingRow(Base):
    """One training of one labeler: what was asked for, from its beginning to its end.

    `subject` is the request's, its parts one a line.
    """

    __tablename__ = "training"
    __table_args__ = (Index("ix_training_participant_id", "participant_id"),)

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    participant_id: Mapped[int] = refers("participant.id")
    source: Mapped[Source] = choice(Source, "source")
    subject: Mapped[str] = mapped_column(default="")
    length: Mapped[int]
    ordering: Mapped[TrainingOrder] = choice(TrainingOrder, "ordering")
    seed: Mapped[int] = mapped_column(BigInteger)
    begun_at: Mapped[str]
    ended_at: Mapped[str | None]


class TrainingTrialRow(Base):
    """Which training a trial belongs to."""

    __tablename__ = "training_trial"
    __table_args__ = (Index("ix_training_trial_training_id", "training_id"),)

    trial_id: Mapped[str] = refers("trial.id", primary_key=True)
    training_id: Mapped[str] = refers("training.id")


class FamilyRow(Base):
    """A named list of classes; the owner's, or everybody's where a lead shared it."""

    __tablename__ = "family"
    __table_args__ = (Index("ix_family_participant_id", "participant_id"),)

    id: Mapped[int] = numbered()
    name: Mapped[str]
    participant_id: Mapped[int] = refers("participant.id")
    shared: Mapped[bool]
    saved_at: Mapped[str]
    removed_at: Mapped[str | None]


class FamilyClassRow(Base):
    __tablename__ = "family_class"

    family_id: Mapped[int] = refers("family.id", primary_key=True)
    class_id: Mapped[int] = refers("class.id", primary_key=True)
