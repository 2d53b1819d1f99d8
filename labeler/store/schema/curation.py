"""Candidate pools and the datasets that are built from them.

A pool is a dataset of the role `pool`; the candidates' class is the target of their image.
"""

from sqlalchemy import BigInteger, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.curation.entities import RejectReason, RemovalReason, RevisionState, Strategy
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key


class CandidateRow(Base):
    """Where a candidate was found; dates are as the source gives them."""

    __tablename__ = "candidate"

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    source: Mapped[str] = mapped_column(default="")
    source_id: Mapped[str] = mapped_column(default="")
    query: Mapped[str] = mapped_column(default="")
    taken_at: Mapped[str] = mapped_column(default="")
    uploaded_at: Mapped[str] = mapped_column(default="")


class CandidateRejectionRow(Base):
    """A candidate barred from every dataset; withdrawn rejections stay on record."""

    __tablename__ = "candidate_rejection"
    __table_args__ = (Index("ix_candidate_rejection_image_id", "image_id"),)

    id: Mapped[int] = integer_key()
    image_id: Mapped[int] = foreign_key("candidate.image_id")
    reason: Mapped[RejectReason] = enum_column(RejectReason, "reason")
    participant_id: Mapped[int | None] = foreign_key("participant.id")
    note: Mapped[str] = mapped_column(default="")
    at: Mapped[str]
    withdrawn_at: Mapped[str | None]


class BuiltRevisionRow(Base):
    """A revision of a built dataset; `parameters` is JSON."""

    __tablename__ = "built_revision"
    __table_args__ = (UniqueConstraint("dataset", "revision"),)

    id: Mapped[int] = integer_key()
    dataset: Mapped[str]
    revision: Mapped[int]
    parent: Mapped[int | None]
    strategy: Mapped[Strategy] = enum_column(Strategy, "strategy")
    parameters: Mapped[str]
    seed: Mapped[int] = mapped_column(BigInteger)
    made_at: Mapped[str]
    state: Mapped[RevisionState] = enum_column(RevisionState, "state")


class BuiltImageRow(Base):
    """An image of a revision, and the frequency bins that it fills and belongs to."""

    __tablename__ = "built_image"
    __table_args__ = (
        Index("ix_built_image_image_id", "image_id"),
        {"sqlite_with_rowid": False},
    )

    revision_id: Mapped[int] = foreign_key("built_revision.id", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id")
    bin: Mapped[int | None]
    from_bin: Mapped[int | None]
    carried: Mapped[bool]


class BuiltRemovalRow(Base):
    """Why an image of the parent isn't in a revision."""

    __tablename__ = "built_removal"
    __table_args__ = ({"sqlite_with_rowid": False},)

    revision_id: Mapped[int] = foreign_key("built_revision.id", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    reason: Mapped[RemovalReason] = enum_column(RemovalReason, "reason")


class ClassReviewRow(Base):
    """A reviewer's judgement of a class; of several by one reviewer, the last counts."""

    __tablename__ = "class_review"
    __table_args__ = ({"sqlite_with_rowid": False},)

    revision_id: Mapped[int] = foreign_key("built_revision.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    reviewed: Mapped[bool]
    needs_work: Mapped[bool]
    at: Mapped[str]


class RevisionDatasetRow(Base):
    """A dataset of the study that is a revision; its images have the names of the candidates."""

    __tablename__ = "revision_dataset"

    dataset_id: Mapped[int] = foreign_key("dataset.id", primary_key=True)
    revision_id: Mapped[int] = foreign_key("built_revision.id")
