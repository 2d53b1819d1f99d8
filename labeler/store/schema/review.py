"""Reviews with their revisions, and the multi-labels resolved from them."""

from sqlalchemy import BigInteger, LargeBinary, false
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.study.entities import AttentionPlace, CorrectKind, Stage, Verdict
from labeler.store.schema.base import Base, enum_column, foreign_key

# The rule that stands beside a state which came from a file.
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
