"""Reviews with their revisions, and the multi-labels resolved from them."""

from sqlalchemy import BigInteger, Index, LargeBinary, UniqueConstraint, Uuid, false
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.review.resolution import ResolutionRule
from labeler.core.study.entities import AttentionPlace, CorrectKind, ProblemReason, Stage, Verdict
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key


class ReviewPlanRow(Base):
    """One making, or one extension, of a stage's plan: what the lead asked for."""

    __tablename__ = "review_plan"

    id: Mapped[int] = integer_key()
    stage: Mapped[Stage] = enum_column(Stage, "stage")
    seed: Mapped[int] = mapped_column(BigInteger)
    overlap: Mapped[int]
    model_seeds: Mapped[int]
    again: Mapped[float]
    repeats: Mapped[float]
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


class ReviewVisitRow(Base):
    """An image before one reviewer, who judges all its items; `place` orders their visits."""

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
    """A pair that its reviewer is asked a second time, as a visit of its own."""

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
    """The verdict at a second asking: it measures the reviewer and resolves nothing."""

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
    """A reviewer's word that an image is problematic; it counts when a second one agrees."""

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
    """An image put to a second reviewer, flagged or not: nothing here says which."""

    __tablename__ = "flag_check"
    __table_args__ = (UniqueConstraint("participant_id", "stage", "image_id"),)

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    stage: Mapped[Stage] = enum_column(Stage, "stage")
    image_id: Mapped[int] = foreign_key("image.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    place: Mapped[int] = mapped_column(BigInteger)
    made_at: Mapped[str]


class FlagAnswerRow(Base):
    """What the second reviewer found: reasons joined by `|`, or none.

    An answer that is taken back is a revision too, `withdrawn`: the image waits again then.
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
    """The group's verdict on a pair, as the lead recorded it; a change is the next revision.

    One that is taken back is a revision too, `withdrawn`: the group has none then.
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
    """One resolution of all verdicts: the rule, and what came of it."""

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


# The rule that is next to a state which came from a file.
IMPORTED_RULE = "imported"


class ReviewRow(Base):
    """A reviewer's verdict on one (image, label); a change of mind is the next revision.

    A verdict that is taken back is a revision too, `withdrawn`; one that was changed to settle a
    disagreement, when the blind verdicts were frozen, is `discussed`, and the blind one comes again
    where that is taken back.

    The natural key is the primary one, and the only index: nearly a million rows keep to a
    single b-tree, in which all verdicts on an image lie together.
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


class LapIntervalRow(Base):
    """A stretch of attention within a lap: the time up to a verdict, or to several given at once.

    Verdicts name their lap by session and number. A lap that no verdict names is time after the
    last one. Moments are those of the session's monotonic clock, as of a trial's intervals.
    """

    __tablename__ = "lap_interval"

    session_id: Mapped[str] = foreign_key("session.id", primary_key=True)
    lap: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[AttentionPlace] = enum_column(AttentionPlace, "place")
    started_ms: Mapped[int] = mapped_column(BigInteger)
    ended_ms: Mapped[int] = mapped_column(BigInteger)
    inputs: Mapped[bytes] = mapped_column(LargeBinary, default=b"")


class MultilabelRow(Base):
    """The resolved state of a judged label, and the rule that resolved it."""

    __tablename__ = "multilabel"
    __table_args__ = ({"sqlite_with_rowid": False},)

    image_id: Mapped[int] = foreign_key("image.id", primary_key=True)
    class_id: Mapped[int] = foreign_key("class.id", primary_key=True)
    state: Mapped[Verdict] = enum_column(Verdict, "state")
    rule: Mapped[str]
