"""Trainings with their trials, and saved families of classes."""

from sqlalchemy import BigInteger, Index, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.training.request import TrainingOrder, TrainingSource
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key


class DiscussionNoteRow(Base):
    """A note on a training image. Rows are only added: a correction is another note."""

    __tablename__ = "discussion_note"
    __table_args__ = (Index("ix_discussion_note_image_id", "image_id"),)

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    text: Mapped[str]
    at: Mapped[str]


class TrainingRow(Base):
    """One training of one labeler: the request, its start and its end.

    `subject` has the parts of the request's subject, one per line.
    """

    __tablename__ = "training"
    __table_args__ = (Index("ix_training_participant_id", "participant_id"),)

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    participant_id: Mapped[int] = foreign_key("participant.id")
    source: Mapped[TrainingSource] = enum_column(TrainingSource, "source")
    subject: Mapped[str] = mapped_column(default="")
    length: Mapped[int]
    ordering: Mapped[TrainingOrder] = enum_column(TrainingOrder, "ordering")
    seed: Mapped[int] = mapped_column(BigInteger)
    begun_at: Mapped[str]
    ended_at: Mapped[str | None]


class TrainingTrialRow(Base):
    """Which training a trial belongs to."""

    __tablename__ = "training_trial"
    __table_args__ = (Index("ix_training_trial_training_id", "training_id"),)

    trial_id: Mapped[str] = foreign_key("trial.id", primary_key=True)
    training_id: Mapped[str] = foreign_key("training.id")


class FamilyRow(Base):
    """A named list of classes; private to its owner, or shared by a lead."""

    __tablename__ = "family"
    __table_args__ = (Index("ix_family_participant_id", "participant_id"),)

    id: Mapped[int] = integer_key()
    name: Mapped[str]
    participant_id: Mapped[int] = foreign_key("participant.id")
    shared: Mapped[bool]
    saved_at: Mapped[str]
    removed_at: Mapped[str | None]


class FamilyClassRow(Base):
    __tablename__ = "family_class"

    family_id: Mapped[int] = foreign_key("family.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
