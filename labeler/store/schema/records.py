"""Records: exposures, visited guide pages, and the audit of all changes by the lead."""

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.study.entities import ExposureOccasion
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key

_TRAINING = text("occasion = 'training'")


class ExposureRow(Base):
    """Who saw which image, when, how, and with which label."""

    __tablename__ = "exposure"
    __table_args__ = (
        Index("ix_exposure_image_id_participant_id", "image_id", "participant_id"),
        Index("ix_exposure_training", "participant_id", "image_id", sqlite_where=_TRAINING),
    )

    id: Mapped[int] = integer_key()
    participant_id: Mapped[int] = foreign_key("participant.id")
    image_id: Mapped[int] = foreign_key("image.id")
    occasion: Mapped[ExposureOccasion] = enum_column(ExposureOccasion, "occasion")
    class_id: Mapped[int | None] = foreign_key("class.id")
    session_id: Mapped[str | None] = foreign_key("session.id")
    at: Mapped[str]


class GuideVisitRow(Base):
    """A guide page that a person opened, and during which trial."""

    __tablename__ = "guide_visit"

    id: Mapped[int] = integer_key()
    participant_id: Mapped[int] = foreign_key("participant.id")
    session_id: Mapped[str | None] = foreign_key("session.id")
    trial_id: Mapped[str | None] = foreign_key("trial.id")
    page: Mapped[str]
    guide_version: Mapped[str]
    at: Mapped[str]


class AuditRow(Base):
    """One deliberate change to the study: who, what, and details."""

    __tablename__ = "audit"

    id: Mapped[int] = integer_key()
    at: Mapped[str]
    actor: Mapped[str]
    action: Mapped[str]
    detail: Mapped[str] = mapped_column(default="{}")
