"""Storing one answer of an evaluation: its prediction, intervals and exposure, all or nothing.

A labeler waits for this at every image. So everything that decides is asked in one statement, and
the statements are built once and sent past the object mapper, which would triple the cost.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Row, Table, bindparam, delete, func, insert, select, text, update
from sqlalchemy.orm import Session
from sqlalchemy.sql.selectable import ScalarSelect

from labeler.core.active_time import Interval
from labeler.core.answers import CommittedAnswer
from labeler.core.errors import Refused
from labeler.core.phases import Phase, PhaseState
from labeler.core.study import Occasion, Task
from labeler.store.schema import (
    Base,
    ClassRow,
    DraftRow,
    ExposureRow,
    IntervalRow,
    PhaseRow,
    PredictionRow,
    SessionRow,
    TrialRow,
)

# Written out, since an index over evaluations only is of no use to a bound value.
EVALUATION_PREDICTION = text("prediction.task = 'evaluate'")


def commit_answer(session: Session, answer: CommittedAnswer) -> int:
    """Store the answer as the trial's next revision; one that is stored keeps its revision."""
    connection = session.connection()
    before = _before(connection, answer)
    if before.stored_revision is not None:
        return before.stored_revision
    connection.execute(_ADD_PREDICTION, _prediction(answer, before))
    intervals = _intervals(answer, after=before.intervals)
    if intervals:
        connection.execute(_ADD_INTERVAL, intervals)
    exposures = _exposures(answer, before)
    if exposures:
        connection.execute(_ADD_EXPOSURE, exposures)
    if not before.shown:
        connection.execute(_SHOW, {"trial": answer.trial_id, "shown_at": answer.shown_at})
    if before.drafted:
        connection.execute(_DISCARD, {"person": before.participant_id, "trial": answer.trial_id})
    return before.revisions + 1


def packed_inputs(inputs: Sequence[int]) -> bytes:
    """Moments as the database keeps them: 64-bit little-endian integers."""
    return struct.pack(f"<{len(inputs)}q", *inputs)


def unpacked_inputs(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """What the study has of the trial before the answer."""

    participant_id: int
    image_id: int
    class_id: int
    alternative_id: int | None
    stored_revision: int | None
    revisions: int
    intervals: int
    shown: bool
    exposed: bool
    declared: bool
    drafted: bool


def _table(row: type[Base]) -> Table:
    return Base.metadata.tables[row.__tablename__]


def _class_called(parameter: str) -> ScalarSelect[int]:
    return select(ClassRow.id).where(ClassRow.wnid == bindparam(parameter)).scalar_subquery()


def _exposures_by(occasion: Occasion) -> ScalarSelect[int]:
    return (
        select(func.count(ExposureRow.id))
        .where(
            ExposureRow.image_id == TrialRow.image_id,
            ExposureRow.participant_id == TrialRow.participant_id,
            ExposureRow.occasion == occasion,
        )
        .scalar_subquery()
    )


_STORED = PredictionRow.id == bindparam("answer")
_REVISIONS = select(func.max(PredictionRow.revision)).where(
    PredictionRow.participant_id == TrialRow.participant_id,
    PredictionRow.image_id == TrialRow.image_id,
    EVALUATION_PREDICTION,
)
_INTERVALS = select(func.max(IntervalRow.number)).where(IntervalRow.trial_id == TrialRow.id)
_SITTER = select(SessionRow.participant_id).where(
    SessionRow.id == bindparam("session"), SessionRow.task == Task.EVALUATE
)
_DRAFTS = select(func.count(DraftRow.subject)).where(
    DraftRow.participant_id == TrialRow.participant_id,
    DraftRow.task == Task.EVALUATE,
    DraftRow.subject == bindparam("subject"),
)
_PHASE = select(PhaseRow.state).where(PhaseRow.phase == Phase.EVALUATE)
_BEFORE = select(
    TrialRow.participant_id,
    TrialRow.image_id,
    TrialRow.shown_at,
    TrialRow.locked_at,
    _PHASE.scalar_subquery().label("phase"),
    _SITTER.scalar_subquery().label("sitter"),
    _class_called("label").label("class_id"),
    _class_called("alternative").label("alternative_id"),
    select(PredictionRow.trial_id).where(_STORED).scalar_subquery().label("stored_trial"),
    select(PredictionRow.revision).where(_STORED).scalar_subquery().label("stored_revision"),
    _REVISIONS.scalar_subquery().label("revisions"),
    _INTERVALS.scalar_subquery().label("intervals"),
    _exposures_by(Occasion.EVALUATION).label("exposed"),
    _exposures_by(Occasion.DECLARED).label("declared"),
    _DRAFTS.scalar_subquery().label("drafted"),
).where(TrialRow.id == bindparam("trial"))

_ADD_PREDICTION = insert(_table(PredictionRow))
_ADD_INTERVAL = insert(_table(IntervalRow))
_ADD_EXPOSURE = insert(_table(ExposureRow))
_SHOW = (
    update(_table(TrialRow))
    .where(_table(TrialRow).c.id == bindparam("trial"))
    .values(shown_at=bindparam("shown_at"))
)
_DISCARD = delete(_table(DraftRow)).where(
    _table(DraftRow).c.participant_id == bindparam("person"),
    _table(DraftRow).c.task == Task.EVALUATE,
    _table(DraftRow).c.subject == bindparam("trial"),
)


def _before(connection: Connection, answer: CommittedAnswer) -> _Before:
    """What is there already; refused unless the answer is, or may still be added to it."""
    row = connection.execute(_BEFORE, _keys(answer)).one_or_none()
    if row is None:
        raise Refused("The study has no such trial. Sign in again.")
    if row.stored_revision is None:
        _require_open(row)
        _require_classes(row, answer)
    elif row.stored_trial != answer.trial_id:
        raise Refused("This answer is stored for another trial already. Answer this one again.")
    return _Before(
        participant_id=row.participant_id,
        image_id=row.image_id,
        class_id=row.class_id,
        alternative_id=row.alternative_id,
        stored_revision=row.stored_revision,
        revisions=row.revisions or 0,
        intervals=row.intervals or 0,
        shown=row.shown_at is not None,
        exposed=row.exposed > 0,
        declared=row.declared > 0,
        drafted=row.drafted > 0,
    )


def _keys(answer: CommittedAnswer) -> dict[str, str | None]:
    return {
        "answer": answer.answer_id,
        "trial": answer.trial_id,
        "subject": answer.trial_id,
        "session": answer.session_id,
        "label": answer.label,
        "alternative": answer.alternative,
    }


def _require_open(row: Row[*tuple[object, ...]]) -> None:
    if row.locked_at is not None:
        raise Refused("Your answers are locked: they can't change any more.")
    if row.phase is not PhaseState.OPEN:
        raise Refused("The evaluation isn't open, so no answer can be stored. Ask the lead.")
    if row.sitter != row.participant_id:
        raise Refused(
            "This session isn't an evaluation by the labeler whose trial this is. Sign in again."
        )


def _require_classes(row: Row[*tuple[object, ...]], answer: CommittedAnswer) -> None:
    for wnid, found in ((answer.label, row.class_id), (answer.alternative, row.alternative_id)):
        if wnid is not None and found is None:
            raise Refused(f"'{wnid}' is no class of this study. Choose one of its classes.")


def _prediction(answer: CommittedAnswer, before: _Before) -> dict[str, object]:
    return {
        "id": answer.answer_id,
        "trial_id": answer.trial_id,
        "participant_id": before.participant_id,
        "task": Task.EVALUATE,
        "image_id": before.image_id,
        "revision": before.revisions + 1,
        "class_id": before.class_id,
        "escape_hatch": answer.escape_hatch,
        "alternative_id": before.alternative_id,
        "confidence": answer.confidence,
        "note": answer.note,
        "active_ms": answer.active_ms,
        "wall_ms": answer.wall_ms,
        "shown_at": answer.shown_at,
        "committed_at": answer.submitted_at,
    }


def _intervals(answer: CommittedAnswer, *, after: int) -> list[dict[str, object]]:
    """The answer's intervals, numbered on from those that the trial has."""
    by_session = [(visit.session, i) for visit in answer.visits for i in visit.intervals]
    return [
        _interval(answer.trial_id, session, number, interval)
        for number, (session, interval) in enumerate(by_session, start=after + 1)
    ]


def _interval(trial_id: str, session_id: str, number: int, interval: Interval) -> dict[str, object]:
    return {
        "trial_id": trial_id,
        "number": number,
        "session_id": session_id,
        "place": interval.place,
        "started_ms": interval.started_ms,
        "ended_ms": interval.ended_ms,
        "inputs": packed_inputs(interval.inputs),
    }


def _exposures(answer: CommittedAnswer, before: _Before) -> list[dict[str, object]]:
    """That the labeler saw the image, and that they knew it before; each is noted once."""
    occasions = [] if before.exposed else [Occasion.EVALUATION]
    if answer.knows_image and not before.declared:
        occasions.append(Occasion.DECLARED)
    return [
        {
            "participant_id": before.participant_id,
            "image_id": before.image_id,
            "occasion": occasion,
            "session_id": answer.session_id,
            "at": answer.submitted_at,
        }
        for occasion in occasions
    ]
