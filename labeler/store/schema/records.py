"""What happened: exposures, guide pages seen, and the audit of every change by the lead."""

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.study.entities import Occasion
from labeler.store.schema.base import Base, choice, numbered, refers

_TRAINING = text("occasion = 'training'")


class ExposureRow(Base):
    """Who saw which image, when, how, and with which label beside it."""

    __tablename__ = "exposure"
    __table_args__ = (
        Index("ix_exposure_image_id_participant_id", "image_id", "participant_id"),
        Index("ix_exposure_training", "participant_id", "image_id", sqlite_where=_TRAINING),
    )

    id: Mapped[int] = numbered()
    participant_id: Mapped[int] = refers("participant.id")
    image_id: Mapped[int] = refers("image.id")
    occasion: Mapped[Occasion] = choice(Occasion, "occasion")
    class_id: Mapped[int | None] = refers("class.id")
    session_id: Mapped[str | None] = refers("session.id")
    at: Mapped[str]


class GuideVisitRow(Base):
    """A guide page that a person had open, and during which trial."""

    __tablename__ = "guide_visit"

    id: Mapped[int] = numbered()
    participant_id: Mapped[int] = refers("participant.id")
    session_id: Mapped[str | None] = refers("session.id")
    trial_id: Mapped[str | None] = refers("trial.id")
    page: Mapped[str]
    guide_version: Mapped[str]
    at: Mapped[str]


class AuditRow(Base):
    """One deliberate change to the study: who, what, with which details."""

    __tablename__ = "audit"

    id: Mapped[int] = numbered()
    at: Mapped[str]
    actor: Mapped[str]
    action: Mapped[str]
    detail: Mapped[str] = mapped_column(default="{}")
