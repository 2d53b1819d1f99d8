"""Near-duplicates: distances between images, verdicts about pairs, and the sets they make."""

from sqlalchemy import Float, Index, LargeBinary, false
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.store.schema.base import Base, checksum_column, enum_column, foreign_key, integer_key


class NearDuplicateSearchRow(Base):
    """The last search in a metric; `parameters` is JSON, for example the network."""

    __tablename__ = "near_duplicate_search"

    metric: Mapped[DuplicateMetric] = enum_column(DuplicateMetric, "metric", primary_key=True)
    pair_limit: Mapped[float] = mapped_column(Float)
    parameters: Mapped[str]
    images: Mapped[int]
    recall: Mapped[float | None] = mapped_column(Float)
    began_at: Mapped[str]
    finished_at: Mapped[str | None]


class NearDuplicateNeighbourRow(Base):
    """The nearest images of an image as packed (id, distance); derived from the pixels.

    A row that isn't complete holds what the pass over perceptual hashes found. No foreign key:
    distances are deleted with a dataset, and never prevent that.
    """

    __tablename__ = "near_duplicate_neighbour"
    __table_args__ = ({"sqlite_with_rowid": False},)

    metric: Mapped[DuplicateMetric] = enum_column(DuplicateMetric, "metric", primary_key=True)
    image_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    complete: Mapped[bool]
    neighbours: Mapped[bytes] = mapped_column(LargeBinary)
    neighbours_checksum: Mapped[int | None] = checksum_column()


class NearDuplicateVerdictRow(Base):
    """A reviewer's verdict about a pair, the image with the smaller id first; the last counts."""

    __tablename__ = "near_duplicate_verdict"
    __table_args__ = (
        Index("ix_near_duplicate_verdict_image_b_id", "image_b_id"),
        {"sqlite_with_rowid": False},
    )

    image_a_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    image_b_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    metric: Mapped[DuplicateMetric] = enum_column(DuplicateMetric, "metric", primary_key=True)
    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    distance: Mapped[float | None] = mapped_column(Float)
    verdict: Mapped[PairVerdict] = enum_column(PairVerdict, "verdict")
    at: Mapped[str]
    withdrawn: Mapped[bool] = mapped_column(default=False, server_default=false())


class NearDuplicateMemberRow(Base):
    """The near-duplicate set of an image, derived from the verdicts on every change."""

    __tablename__ = "near_duplicate_member"
    __table_args__ = (Index("ix_near_duplicate_member_set_id", "set_id"),)

    image_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    set_id: Mapped[int]


class NearDuplicateChoiceRow(Base):
    """The lead's choice of the image that stays of its set; withdrawn ones stay on record."""

    __tablename__ = "near_duplicate_choice"
    __table_args__ = (Index("ix_near_duplicate_choice_image_id", "image_id"),)

    id: Mapped[int] = integer_key()
    image_id: Mapped[int] = foreign_key("image.id")
    participant_id: Mapped[int | None] = foreign_key("participant.id")
    at: Mapped[str]
    withdrawn_at: Mapped[str | None]
