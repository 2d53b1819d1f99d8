"""Reviews with revisions, and the multi-labels resolved from them."""

from sqlalchemy import (
    BigInteger,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    UniqueConstraint,
    Uuid,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.review.error_reviews import ErrorCategory, ErrorSeverity, Mistake
from labeler.core.study.entities import (
    AttentionPlace,
    CorrectKind,
    ProblemReason,
    ResolutionRule,
    Stage,
    Verdict,
)
from labeler.store.schema.base import Base, checksum_column, enum_column, foreign_key, integer_key


class ReviewPlanRow(Base):
    """One creation or extension of a stage's plan: the lead's request."""

    __tablename__ = "review_plan"

    id: Mapped[int] = integer_key()
    stage: Mapped[Stage] = enum_column(Stage, "stage")
    seed: Mapped[int] = mapped_column(BigInteger)
    overlap: Mapped[int]
    model_seeds: Mapped[int]
    again: Mapped[float]
    repeats: Mapped[float]
    leak: Mapped[float | None]
    program_version: Mapped[str]
    made_at: Mapped[str]


class ReviewItemRow(Base):
    """A pair (image, label) to judge; one that a reviewer added has no plan."""

    __tablename__ = "review_item"
    __table_args__ = (
        Index("ix_review_item_class", "stage", "class_id"),
        {"sqlite_with_rowid": False},
    )

    stage: Mapped[Stage] = enum_column(Stage, "stage", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    plan_id: Mapped[int | None] = foreign_key("review_plan.id")
    added_by: Mapped[int | None] = foreign_key("participant.id")
    added_at: Mapped[str]


class ReviewDecoyRow(Base):
    """An item that no one proposed, separate so that no blind query selects it with the items."""

    __tablename__ = "review_decoy"
    __table_args__ = (
        ForeignKeyConstraint(
            ["stage", "image_id", "class_id"],
            ["review_item.stage", "review_item.image_id", "review_item.class_id"],
        ),
        {"sqlite_with_rowid": False},
    )

    stage: Mapped[Stage] = enum_column(Stage, "stage", primary_key=True)
    image_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    class_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class ReviewVisitRow(Base):
    """An image assigned to a reviewer, who judges all its items; `place` orders the visits."""

    __tablename__ = "review_visit"
    __table_args__ = (
        UniqueConstraint("participant_id", "stage", "image_id"),
        Index("ix_review_visit_order", "participant_id", "stage", "place"),
    )

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    stage: Mapped[Stage] = enum_column(Stage, "stage")
    image_id: Mapped[int] = foreign_key("image.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    place: Mapped[int] = mapped_column(BigInteger)
    plan_id: Mapped[int] = foreign_key("review_plan.id")


class ReviewRepeatRow(Base):
    """A pair that a reviewer judges a second time, as a separate visit."""

    __tablename__ = "review_repeat"
    __table_args__ = (
        UniqueConstraint("participant_id", "stage", "image_id", "class_id"),
        Index("ix_review_repeat_order", "participant_id", "stage", "place"),
    )

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    stage: Mapped[Stage] = enum_column(Stage, "stage")
    image_id: Mapped[int] = foreign_key("image.id")
    class_id: Mapped[int] = foreign_key("class.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    place: Mapped[int] = mapped_column(BigInteger)
    plan_id: Mapped[int] = foreign_key("review_plan.id")


class RepeatedReviewRow(Base):
    """The verdict on a repeated pair: it measures the reviewer and isn't used to resolve labels."""

    __tablename__ = "repeated_review"

    repeat_id: Mapped[str] = foreign_key("review_repeat.id", primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    verdict: Mapped[Verdict] = enum_column(Verdict, "verdict")
    kind: Mapped[CorrectKind | None] = enum_column(CorrectKind, "kind")
    withdrawn: Mapped[bool] = mapped_column(default=False, server_default=false())
    at: Mapped[str]
    active_ms: Mapped[int | None] = mapped_column(BigInteger)
    session_id: Mapped[str] = foreign_key("session.id")
    lap: Mapped[int | None]


class ReviewFlagRow(Base):
    """A reviewer flagged an image as problematic; it takes effect when a second one agrees."""

    __tablename__ = "review_flag"
    __table_args__ = (Index("ix_review_flag_image_id", "image_id"),)

    id: Mapped[int] = integer_key()
    stage: Mapped[Stage] = enum_column(Stage, "stage")
    image_id: Mapped[int] = foreign_key("image.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    reason: Mapped[ProblemReason] = enum_column(ProblemReason, "reason")
    note: Mapped[str] = mapped_column(default="")
    at: Mapped[str]
    withdrawn_at: Mapped[str | None]


class FlagCheckRow(Base):
    """An image to check by a second reviewer; nothing here says whether it was flagged."""

    __tablename__ = "flag_check"
    __table_args__ = (UniqueConstraint("participant_id", "stage", "image_id"),)

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    stage: Mapped[Stage] = enum_column(Stage, "stage")
    image_id: Mapped[int] = foreign_key("image.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    place: Mapped[int] = mapped_column(BigInteger)
    made_at: Mapped[str]


class FlagAnswerRow(Base):
    """The second reviewer's answer: reasons joined by `|`, or none.

    A withdrawn answer is a revision, too: the check is open again.
    """

    __tablename__ = "flag_answer"

    check_id: Mapped[str] = foreign_key("flag_check.id", primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    reasons: Mapped[str]
    note: Mapped[str] = mapped_column(default="")
    at: Mapped[str]
    session_id: Mapped[str] = foreign_key("session.id")
    lap: Mapped[int | None]
    withdrawn: Mapped[bool] = mapped_column(default=False, server_default=false())


class AdjudicationRow(Base):
    """The group's verdict on a pair, recorded by the lead; a change is the next revision.

    A withdrawn verdict is a revision, too: the group then has none.
    """

    __tablename__ = "adjudication"
    __table_args__ = ({"sqlite_with_rowid": False},)

    stage: Mapped[Stage] = enum_column(Stage, "stage", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    verdict: Mapped[Verdict] = enum_column(Verdict, "verdict")
    kind: Mapped[CorrectKind | None] = enum_column(CorrectKind, "kind")
    note: Mapped[str] = mapped_column(default="")
    participant_id: Mapped[int | None] = foreign_key("participant.id")
    at: Mapped[str]
    withdrawn: Mapped[bool] = mapped_column(default=False, server_default=false())


class ResolutionRow(Base):
    """One resolution of all verdicts: the rule and its result."""

    __tablename__ = "resolution"

    id: Mapped[int] = integer_key()
    rule: Mapped[ResolutionRule] = enum_column(ResolutionRule, "rule")
    quorum: Mapped[int]
    reviewer_id: Mapped[int | None] = foreign_key("participant.id")
    correct: Mapped[int]
    wrong: Mapped[int]
    unclear: Mapped[int]
    open: Mapped[int]
    unsettled: Mapped[int]
    resolved_at: Mapped[str]


# The rule of imported states.
IMPORTED_RULE = "imported"


class ReviewRow(Base):
    """A reviewer's verdict on one (image, label); a change is the next revision.

    A withdrawn verdict is a revision, too. A verdict given to settle a disagreement, after the
    blind verdicts were frozen, is `discussed`; if it is withdrawn, the blind verdict is appended
    again.

    The natural key is the primary key and the only index: nearly a million rows share a single
    b-tree in which all verdicts on an image are adjacent.
    """

    __tablename__ = "review"
    __table_args__ = ({"sqlite_with_rowid": False},)

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    stage: Mapped[Stage] = enum_column(Stage, "stage", primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    verdict: Mapped[Verdict] = enum_column(Verdict, "verdict")
    kind: Mapped[CorrectKind | None] = enum_column(CorrectKind, "kind")
    at: Mapped[str | None]
    active_ms: Mapped[int | None] = mapped_column(BigInteger)
    session_id: Mapped[str | None] = foreign_key("session.id")
    discussed: Mapped[bool] = mapped_column(default=False, server_default=false())
    withdrawn: Mapped[bool] = mapped_column(default=False, server_default=false())
    lap: Mapped[int | None]
    note: Mapped[str] = mapped_column(default="", server_default=text("''"))


class LapIntervalRow(Base):
    """An interval of attention within a lap: the time until one or several verdicts.

    Verdicts refer to their lap by session and number. A lap without a verdict is time after the
    last one. Times are of the session's monotonic clock, like a trial's intervals.
    """

    __tablename__ = "lap_interval"

    session_id: Mapped[str] = foreign_key("session.id", primary_key=True)
    lap: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[AttentionPlace] = enum_column(AttentionPlace, "place")
    started_ms: Mapped[int] = mapped_column(BigInteger)
    ended_ms: Mapped[int] = mapped_column(BigInteger)
    inputs: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    inputs_checksum: Mapped[int | None] = checksum_column()


class ErrorReviewRow(Base):
    """A reviewer's judgement of a wrong prediction: whether it is a mistake, and which kind.

    The last revision counts.
    """

    __tablename__ = "error_review"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, default=1)
    mistake: Mapped[Mistake] = enum_column(Mistake, "mistake")
    category: Mapped[ErrorCategory | None] = enum_column(ErrorCategory, "category")
    severity: Mapped[ErrorSeverity | None] = enum_column(ErrorSeverity, "severity")
    at: Mapped[str | None]


class MultilabelRow(Base):
    """The resolved state of a judged label, and the rule that resolved it."""

    __tablename__ = "multilabel"
    __table_args__ = ({"sqlite_with_rowid": False},)

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    state: Mapped[Verdict] = enum_column(Verdict, "state")
    rule: Mapped[str]
