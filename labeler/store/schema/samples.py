"""Evaluation samples, frozen with everything that decided them."""

from sqlalchemy import BigInteger, UniqueConstraint, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from labeler.store.schema.base import Base, foreign_key, integer_key


class SampleRow(Base):
    """A drawn sample; the study's is the one that isn't retired."""

    __tablename__ = "sample"

    id: Mapped[int] = integer_key()
    identity: Mapped[str] = mapped_column(Uuid(as_uuid=False), unique=True)
    seed: Mapped[int] = mapped_column(BigInteger)
    per_class: Mapped[int]
    class_count: Mapped[int | None]
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
