"""Sessions, trials with raw intervals, predictions with revisions, drafts."""

from sqlalchemy import BigInteger, Index, LargeBinary, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column, validates

from labeler.core.study.entities import AttentionPlace, Role, SessionTask
from labeler.store.engine.checksums import checksum
from labeler.store.schema.base import Base, checksum_column, enum_column, foreign_key, integer_key

_EVALUATION = text("task = 'evaluate'")
_LOCKED = text("locked_at IS NOT NULL")


class SessionRow(Base):
    """One session of a person at one task, in the role chosen at sign-in."""

    __tablename__ = "session"

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    participant_id: Mapped[int] = foreign_key("participant.id")
    # Annotators have assignments instead of sessions.
    role: Mapped[Role] = enum_column(Role, "role", only=(Role.LABELER, Role.REVIEWER, Role.LEAD))
    task: Mapped[SessionTask] = enum_column(SessionTask, "task")
    program_version: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    # When the session was last active, to the minute; a session without an end may have crashed.
    active_at: Mapped[str | None]


class TrialRow(Base):
    """One image shown to one labeler; `asking` is above 1 in a hidden repeat of an evaluation."""

    __tablename__ = "trial"
    __table_args__ = (
        Index(
            "uq_trial_evaluation",
            "participant_id",
            "image_id",
            "asking",
            unique=True,
            sqlite_where=_EVALUATION,
        ),
        # Includes the image, so that answered trials are skipped with the index alone.
        Index("ix_trial_order", "participant_id", "task", "position", "image_id", "asking"),
        Index("ix_trial_locked", "participant_id", "task", "locked_at", sqlite_where=_LOCKED),
    )

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    participant_id: Mapped[int] = foreign_key("participant.id")
    task: Mapped[SessionTask] = enum_column(SessionTask, "task")
    image_id: Mapped[int] = foreign_key("image.id")
    position: Mapped[int]
    shown_at: Mapped[str | None]
    locked_at: Mapped[str | None]
    # The total wall time when the trial was last flagged; an answer has its own.
    flagged_wall_ms: Mapped[int | None] = mapped_column(BigInteger)
    asking: Mapped[int] = mapped_column(default=1, server_default="1")


class NotShownRow(Base):
    """A trial whose image couldn't be shown: an error of the machine, not of the image.

    It doesn't exclude the image from any accuracy; withdrawn rows stay on record.
    """

    __tablename__ = "not_shown"
    __table_args__ = (Index("ix_not_shown_trial_id", "trial_id"),)

    id: Mapped[int] = integer_key()
    trial_id: Mapped[str] = foreign_key("trial.id")
    note: Mapped[str] = mapped_column(default="")
    at: Mapped[str]
    withdrawn_at: Mapped[str | None]


class IntervalRow(Base):
    """Attention to one place, in milliseconds of the session's monotonic clock.

    `inputs` holds the times of all key presses and clicks, packed as 64-bit integers, so that a
    report can apply another idle threshold.
    """

    __tablename__ = "attention_interval"

    trial_id: Mapped[str] = foreign_key("trial.id", primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    session_id: Mapped[str] = foreign_key("session.id")
    place: Mapped[AttentionPlace] = enum_column(AttentionPlace, "place")
    started_ms: Mapped[int] = mapped_column(BigInteger)
    ended_ms: Mapped[int] = mapped_column(BigInteger)
    inputs: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    inputs_checksum: Mapped[int | None] = checksum_column()


class PredictionRow(Base):
    """A human's committed label. Rows are only added: a correction is the next revision."""

    __tablename__ = "prediction"
    __table_args__ = (
        Index(
            "uq_prediction_evaluation",
            "participant_id",
            "image_id",
            "revision",
            unique=True,
            sqlite_where=_EVALUATION,
        ),
        UniqueConstraint("trial_id", "revision"),
    )

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    trial_id: Mapped[str | None] = foreign_key("trial.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    task: Mapped[SessionTask] = enum_column(SessionTask, "task")
    image_id: Mapped[int] = foreign_key("image.id")
    revision: Mapped[int]
    class_id: Mapped[int] = foreign_key("class.id")
    score: Mapped[float | None]
    escape_hatch: Mapped[bool] = mapped_column(default=False)
    alternative_id: Mapped[int | None] = foreign_key("class.id")
    confidence: Mapped[int | None]
    note: Mapped[str] = mapped_column(default="")
    active_ms: Mapped[int | None] = mapped_column(BigInteger)
    wall_ms: Mapped[int | None] = mapped_column(BigInteger)
    shown_at: Mapped[str | None]
    committed_at: Mapped[str]


class RepeatedPredictionRow(Base):
    """The answer to a hidden repeat, in a table of its own so that no metric counts it."""

    __tablename__ = "repeated_prediction"
    __table_args__ = (
        UniqueConstraint("participant_id", "image_id", "asking", "revision"),
        UniqueConstraint("trial_id", "revision"),
    )

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    trial_id: Mapped[str | None] = foreign_key("trial.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    image_id: Mapped[int] = foreign_key("image.id")
    asking: Mapped[int]
    revision: Mapped[int]
    class_id: Mapped[int] = foreign_key("class.id")
    score: Mapped[float | None]
    escape_hatch: Mapped[bool] = mapped_column(default=False)
    alternative_id: Mapped[int | None] = foreign_key("class.id")
    confidence: Mapped[int | None]
    # Not an exposure: the labeler may know the image from its first trial.
    known_image: Mapped[bool] = mapped_column(default=False)
    note: Mapped[str] = mapped_column(default="")
    active_ms: Mapped[int | None] = mapped_column(BigInteger)
    wall_ms: Mapped[int | None] = mapped_column(BigInteger)
    shown_at: Mapped[str | None]
    committed_at: Mapped[str]


class ImportedIntervalRow(Base):
    """An interval of attention from a file, in milliseconds since the image was first shown."""

    __tablename__ = "imported_interval"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[AttentionPlace] = enum_column(AttentionPlace, "place")
    started_ms: Mapped[int] = mapped_column(BigInteger)
    ended_ms: Mapped[int] = mapped_column(BigInteger)


class ModelPredictionsRow(Base):
    """All predictions of a model on a dataset, packed by image ordinal and rank.

    `labels` are little-endian 16-bit class indices, 65535 if missing; `scores` are floats of
    `score_bytes` bytes, NaN if missing.
    """

    __tablename__ = "model_predictions"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    dataset_id: Mapped[int] = foreign_key("dataset.id", primary_key=True)
    images: Mapped[int]
    ranks: Mapped[int]
    labels: Mapped[bytes] = mapped_column(LargeBinary)
    scores: Mapped[bytes | None] = mapped_column(LargeBinary)
    score_bytes: Mapped[int] = mapped_column(default=8)
    provenance: Mapped[str] = mapped_column(default="{}")
    made_at: Mapped[str]
    labels_checksum: Mapped[int | None] = checksum_column()
    scores_checksum: Mapped[int | None] = checksum_column()

    @validates("labels", "scores")
    def _add_checksum(self, column: str, value: bytes | None) -> bytes | None:
        setattr(self, f"{column}_checksum", checksum(value))
        return value


class DraftRow(Base):
    """Unfinished work of a person, stored so that a crash loses nothing."""

    __tablename__ = "draft"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    task: Mapped[SessionTask] = enum_column(SessionTask, "task", primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    contents: Mapped[str]
    updated_at: Mapped[str]
