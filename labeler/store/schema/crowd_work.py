"""Crowd tasks under way: rounds, who was given what, qualifications, and links."""

from sqlalchemy import BigInteger, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.crowd.rounds import AssignmentState, CrowdTask
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key


class CrowdRoundRow(Base):
    """A planned round; `parameters` is a JSON object of the choices behind it."""

    __tablename__ = "crowd_round"

    id: Mapped[str] = mapped_column(primary_key=True)
    task: Mapped[CrowdTask] = enum_column(CrowdTask, "task")
    answers: Mapped[int]
    seed: Mapped[int] = mapped_column(BigInteger)
    parameters: Mapped[str]
    planned_at: Mapped[str]
    closed_at: Mapped[str | None]


class CrowdRoundGridRow(Base):
    """A grid of a contains round; imported grids belong to none."""

    __tablename__ = "crowd_round_grid"
    __table_args__ = (Index("ix_crowd_round_grid_round_id", "round_id"),)

    grid_id: Mapped[str] = foreign_key("grid.id", primary_key=True)
    round_id: Mapped[str] = foreign_key("crowd_round.id")


class CrowdRoundImageRow(Base):
    """An image of a classify round, and the wnids it is asked about, joined by `|`."""

    __tablename__ = "crowd_round_image"
    __table_args__ = (Index("ix_crowd_round_image_image_id", "image_id"),)

    round_id: Mapped[str] = foreign_key("crowd_round.id", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    labels: Mapped[str]


class CrowdAssignmentRow(Base):
    """A grid or image given to an annotator; `draft` is the JSON of an unfinished answer."""

    __tablename__ = "crowd_assignment"
    __table_args__ = (
        UniqueConstraint("participant_id", "grid_id"),
        UniqueConstraint("participant_id", "image_id"),
        Index("ix_crowd_assignment_grid_id", "grid_id"),
        Index("ix_crowd_assignment_image_id", "image_id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    participant_id: Mapped[int] = foreign_key("participant.id")
    round_id: Mapped[str] = foreign_key("crowd_round.id")
    grid_id: Mapped[str | None] = foreign_key("grid.id")
    image_id: Mapped[int | None] = foreign_key("image.id")
    handed_at: Mapped[str]
    draft: Mapped[str] = mapped_column(default="")
    state: Mapped[AssignmentState] = enum_column(AssignmentState, "state")


class CrowdQualificationRow(Base):
    """An annotator's attempt at the short test before the first task."""

    __tablename__ = "crowd_qualification"

    id: Mapped[int] = integer_key()
    participant_id: Mapped[int] = foreign_key("participant.id", index=True)
    task: Mapped[CrowdTask] = enum_column(CrowdTask, "task")
    correct: Mapped[int]
    total: Mapped[int]
    passed: Mapped[bool]
    at: Mapped[str]


class CrowdQualificationImageRow(Base):
    """A control that an annotator met in a qualification, so that it isn't shown again."""

    __tablename__ = "crowd_qualification_image"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)


class CrowdLinkRow(Base):
    """An annotator's link to the tasks in a browser; only hashes of its secrets are stored."""

    __tablename__ = "crowd_link"

    id: Mapped[int] = integer_key()
    participant_id: Mapped[int] = foreign_key("participant.id", index=True)
    link_hash: Mapped[str] = mapped_column(unique=True)
    cookie_hash: Mapped[str | None] = mapped_column(unique=True)
    made_at: Mapped[str]
    used_at: Mapped[str | None]
    revoked_at: Mapped[str | None]


class CrowdSecretRow(Base):
    """A single row: the key of the tokens and of the hashes of crowd services' worker ids."""

    __tablename__ = "crowd_secret"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    secret: Mapped[str]
