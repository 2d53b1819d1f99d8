"""Crowd tasks: grids, annotators' answers, and what is derived from them."""

from sqlalchemy import BigInteger, Index, false
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.crowd.entities import AnnotationStatus, ContainsState, GridRole, LabelReason
from labeler.store.schema.base import Base, enum_column, foreign_key


class GridRow(Base):
    """Images shown for one class; the lead may bar a grid, for example if images are missing."""

    __tablename__ = "grid"

    id: Mapped[str] = mapped_column(primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id")
    barred: Mapped[bool] = mapped_column(default=False, server_default=false())


class GridImageRow(Base):
    """An image of a grid; no annotator's query selects the role."""

    __tablename__ = "grid_image"
    __table_args__ = (
        Index("ix_grid_image_image_id", "image_id"),
        {"sqlite_with_rowid": False},
    )

    grid_id: Mapped[str] = foreign_key("grid.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    image_id: Mapped[int] = foreign_key("image.id")
    role: Mapped[GridRole] = enum_column(GridRole, "role")


class ContainsAnswerRow(Base):
    """The positions that an annotator selected in a grid, joined by `|`."""

    __tablename__ = "contains_answer"
    __table_args__ = (
        Index("ix_contains_answer_grid_id", "grid_id"),
        {"sqlite_with_rowid": False},
    )

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    grid_id: Mapped[str] = foreign_key("grid.id", primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    selected: Mapped[str]
    active_ms: Mapped[int | None] = mapped_column(BigInteger)
    submitted_at: Mapped[str]
    state: Mapped[ContainsState] = enum_column(ContainsState, "state")


class SelectionFrequencyRow(Base):
    """How many annotators selected an image for a label, of those who were shown it."""

    __tablename__ = "selection_frequency"
    __table_args__ = ({"sqlite_with_rowid": False},)

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    selected: Mapped[int]
    shown: Mapped[int]


class CandidateLabelRow(Base):
    """A label of the classify task; `place` orders an image's labels from 1."""

    __tablename__ = "candidate_label"
    __table_args__ = ({"sqlite_with_rowid": False},)

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    place: Mapped[int]
    reason: Mapped[LabelReason] = enum_column(LabelReason, "reason")


class ClassifyAnswerRow(Base):
    """The labels that an annotator ticked, as wnids joined by `|`, and the main one.

    Only imported answers can be contradictory: nothing ticked, or a main label that isn't.
    """

    __tablename__ = "classify_answer"
    __table_args__ = (
        Index("ix_classify_answer_image_id", "image_id"),
        {"sqlite_with_rowid": False},
    )

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    labels: Mapped[str]
    main: Mapped[str]
    active_ms: Mapped[int | None] = mapped_column(BigInteger)
    submitted_at: Mapped[str]


class ImageObjectRow(Base):
    """A label of an object in an image; object 0 holds labels that belong to no object."""

    __tablename__ = "image_object"
    __table_args__ = ({"sqlite_with_rowid": False},)

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    object: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    ticked: Mapped[int]
    answers: Mapped[int]
    object_class_id: Mapped[int | None] = foreign_key("class.id")


class ImageSummaryRow(Base):
    """What annotators said about an image; only followed-up images have more than a status.

    `count_answers` of the `answers` named as many labels as there are objects.
    """

    __tablename__ = "image_summary"

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    status: Mapped[AnnotationStatus] = enum_column(AnnotationStatus, "status")
    answers: Mapped[int]
    num_objects: Mapped[int | None]
    count_answers: Mapped[int | None]
    main_class_id: Mapped[int | None] = foreign_key("class.id")
    main_picks: Mapped[int | None]
    main_object: Mapped[int | None]
    target_object: Mapped[int | None]
    optimal_partitions: Mapped[int | None]
    ties: Mapped[str] = mapped_column(default="")
