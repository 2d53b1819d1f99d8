"""Classes, datasets, images, and the roles of images."""

from sqlalchemy import BigInteger, Index, LargeBinary, UniqueConstraint, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.study.entities import DatasetRole, ProblemReason
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key


class SampleRow(Base):
    """A drawn sample; the study's sample is the one that isn't retired."""

    __tablename__ = "sample"

    id: Mapped[int] = integer_key()
    identity: Mapped[str] = mapped_column(Uuid(as_uuid=False), unique=True)
    seed: Mapped[int] = mapped_column(BigInteger)
    per_class: Mapped[int]
    class_count: Mapped[int | None]
    # The share of the images that each labeler is asked twice.
    repeats: Mapped[float] = mapped_column(default=0.0, server_default="0")
    taxonomy_version: Mapped[str]
    guide_version: Mapped[str]
    program_version: Mapped[str]
    drawn_at: Mapped[str]
    retired_at: Mapped[str | None]


class SampleDatasetRow(Base):
    __tablename__ = "sample_dataset"

    sample_id: Mapped[int] = foreign_key("sample.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    dataset_id: Mapped[int] = foreign_key("dataset.id")


class SampleImageRow(Base):
    __tablename__ = "sample_image"
    __table_args__ = (UniqueConstraint("sample_id", "image_id"),)

    sample_id: Mapped[int] = foreign_key("sample.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    image_id: Mapped[int] = foreign_key("image.id")


class ClassRow(Base):
    """A class of the study; its id is its index."""

    __tablename__ = "class"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    wnid: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]


class ConfusionRow(Base):
    """How often two classes were confused, in a file that the lead imported; the lower id first."""

    __tablename__ = "confusion"
    __table_args__ = ({"sqlite_with_rowid": False},)

    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    other_class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger)


class DatasetRow(Base):
    """A dataset; while incomplete, an interrupted import can be resumed."""

    __tablename__ = "dataset"

    id: Mapped[int] = integer_key()
    name: Mapped[str] = mapped_column(unique=True)
    role: Mapped[DatasetRole] = enum_column(DatasetRole, "role")
    layout: Mapped[str | None]
    root: Mapped[str | None]
    labels: Mapped[str | None]
    apply_exif: Mapped[bool] = mapped_column(default=False)
    per_class: Mapped[int | None]
    seed: Mapped[int | None] = mapped_column(BigInteger)
    complete: Mapped[bool]
    added_at: Mapped[str]


class ImageRow(Base):
    """An image: `name` is unique in its dataset, `ordinal` its dense position.

    `path` is the file as given by an exchange file; without it the file is the dataset's root plus
    the name.
    """

    __tablename__ = "image"
    __table_args__ = (
        UniqueConstraint("dataset_id", "name"),
        UniqueConstraint("dataset_id", "ordinal"),
        Index("ix_image_content_hash", "content_hash"),
    )

    id: Mapped[int] = integer_key()
    dataset_id: Mapped[int] = foreign_key("dataset.id")
    ordinal: Mapped[int]
    name: Mapped[str]
    target_id: Mapped[int] = foreign_key("class.id")
    path: Mapped[str | None]
    content_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    byte_count: Mapped[int | None] = mapped_column(BigInteger)
    width: Mapped[int | None]
    height: Mapped[int | None]
    format: Mapped[str | None]
    mode: Mapped[str | None]


class ImageFactorRow(Base):
    """A property of an image, such as its pose, in a file that the lead imported."""

    __tablename__ = "image_factor"
    __table_args__ = ({"sqlite_with_rowid": False},)

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    factor: Mapped[str] = mapped_column(primary_key=True)


class OddFileRow(Base):
    """A file found during an import and what was odd about it; nothing is skipped silently."""

    __tablename__ = "odd_file"
    __table_args__ = (UniqueConstraint("dataset_id", "name", "kind"),)

    id: Mapped[int] = integer_key()
    dataset_id: Mapped[int] = foreign_key("dataset.id")
    name: Mapped[str]
    kind: Mapped[str]
    imported: Mapped[bool]


class TrainingPoolRow(Base):
    """An image that labelers train on; membership is per image, not per dataset."""

    __tablename__ = "training_pool"

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)


class ReferenceRow(Base):
    """A reference image of a class, at its position in the panel."""

    __tablename__ = "reference"

    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    image_id: Mapped[int] = foreign_key("image.id", unique=True)


class ProblematicRow(Base):
    """A reason to exclude the image from every accuracy; withdrawn ones stay on record."""

    __tablename__ = "problematic"
    __table_args__ = (Index("ix_problematic_image_id", "image_id"),)

    id: Mapped[int] = integer_key()
    image_id: Mapped[int] = foreign_key("image.id")
    reason: Mapped[ProblemReason] = enum_column(ProblemReason, "reason")
    participant_id: Mapped[int | None] = foreign_key("participant.id")
    note: Mapped[str] = mapped_column(default="")
    at: Mapped[str]
    withdrawn_at: Mapped[str | None]
    # The hidden repeat that was flagged; empty for flags of an image's first trial and of others.
    # No foreign key, because SQLite can't add one to a table.
    repeated_trial_id: Mapped[str | None] = mapped_column(Uuid(as_uuid=False))
