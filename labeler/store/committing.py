"""Storing one answer of an evaluation: its prediction, intervals and exposure, all or nothing.

A labeler waits for this at every image. So everything that decides is asked in one statement, and
the statements are built once and sent past the object mapper, which would triple the cost.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Table, bindparam, delete, func, insert, select, text, update
from sqlalchemy.sql.selectable import ScalarSelect

from labeler.core.active_time import Interval
from labeler.core.answers import CommittedAnswer
from labeler.core.errors import Refused
from labeler.core.phases import Phase, PhaseState
from labeler.core.study import Occasion, Task
from labeler.core.time_spent import Visit
from labeler.store.prepared import Line, Prepared
from labeler.store.schema import (
    Base,
    ClassRow,
    DraftRow,
    ExposureRow,
    IntervalRow,
    NotShownRow,
    PhaseRow,
    PredictionRow,
    SessionRow,
    TrialRow,
)

# Written out, since an index over evaluations only is of no use to a bound value.
EVALUATION_PREDICTION = text("prediction.task = 'evaluate'")


def commit_answer(line: Line, answer: CommittedAnswer) -> int:
    """Store the answer as the trial's next revision; one that is stored keeps its revision."""
    before = _before(line, answer)
    if before.stored_revision is not None:
        return before.stored_revision
    line.run(_ADD_PREDICTION, _prediction(answer, before))
    line.run(ADD_INTERVAL, *interval_rows(answer.trial_id, answer.visits, after=before.intervals))
    line.run(_ADD_EXPOSURE, *_exposures(answer, before))
    if not before.shown:
        line.run(_SHOW, {"trial": answer.trial_id, "shown": answer.shown_at})
    if before.drafted:
        line.run(DISCARD, {"person": before.participant_id, "subject": answer.trial_id})
    if before.not_shown:
        line.run(_WITHDRAW, {"trial": answer.trial_id, "now": answer.submitted_at})
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
    not_shown: bool


def table_of(row: type[Base]) -> Table:
    return Base.metadata.tables[row.__tablename__]


def _class_called(parameter: str) -> ScalarSelect[int]:
    return select(ClassRow.id).where(ClassRow.wnid == bindparam(parameter)).scalar_subquery()


def exposures_by(occasion: Occasion) -> ScalarSelect[int]:
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
NOT_SHOWN_NOW = select(func.count(NotShownRow.id)).where(
    NotShownRow.trial_id == TrialRow.id, NotShownRow.withdrawn_at.is_(None)
)
EVALUATION_PHASE = select(PhaseRow.state).where(PhaseRow.phase == Phase.EVALUATE)
_SAME_TRIAL = select(PredictionRow.trial_id == TrialRow.id).where(_STORED)
_BEFORE = {
    "participant_id": TrialRow.participant_id,
    "image_id": TrialRow.image_id,
    "shown_at": TrialRow.shown_at,
    "locked_at": TrialRow.locked_at,
    "phase": EVALUATION_PHASE.scalar_subquery(),
    "sitter": _SITTER.scalar_subquery(),
    "class_id": _class_called("label"),
    "alternative_id": _class_called("alternative"),
    "same_trial": _SAME_TRIAL.scalar_subquery(),
    "stored_revision": select(PredictionRow.revision).where(_STORED).scalar_subquery(),
    "revisions": _REVISIONS.scalar_subquery(),
    "intervals": _INTERVALS.scalar_subquery(),
    "exposed": exposures_by(Occasion.EVALUATION),
    "declared": exposures_by(Occasion.DECLARED),
    "drafted": _DRAFTS.scalar_subquery(),
    "not_shown": NOT_SHOWN_NOW.scalar_subquery(),
}
_ASK_BEFORE = Prepared(select(*_BEFORE.values()).where(TrialRow.id == bindparam("trial")))

_ADD_PREDICTION = Prepared(
    insert(table_of(PredictionRow)),
    columns=[column.name for column in table_of(PredictionRow).columns if column.name != "score"],
)
ADD_INTERVAL = Prepared(insert(table_of(IntervalRow)))
_ADD_EXPOSURE = Prepared(
    insert(table_of(ExposureRow)),
    columns=["participant_id", "image_id", "occasion", "session_id", "at"],
)
_SHOW = Prepared(
    update(table_of(TrialRow))
    .where(table_of(TrialRow).c.id == bindparam("trial"))
    .values(shown_at=bindparam("shown"))
)
DISCARD = Prepared(
    delete(table_of(DraftRow)).where(
        table_of(DraftRow).c.participant_id == bindparam("person"),
        table_of(DraftRow).c.task == Task.EVALUATE,
        table_of(DraftRow).c.subject == bindparam("subject"),
    )
)
_WITHDRAW = Prepared(
    update(table_of(NotShownRow))
    .where(
        table_of(NotShownRow).c.trial_id == bindparam("trial"),
        table_of(NotShownRow).c.withdrawn_at.is_(None),
    )
    .values(withdrawn_at=bindparam("now"))
)


def _before(line: Line, answer: CommittedAnswer) -> _Before:
    """What is there already; refused unless the answer is, or may still be added to it."""
    row = line.first(_ASK_BEFORE, _keys(answer))
    if row is None:
        raise Refused("The study has no such trial. Sign in again.")
    found = dict(zip(_BEFORE, row, strict=True))
    if found["stored_revision"] is None:
        _require_open(found)
        _require_classes(found, answer)
    elif not found["same_trial"]:
        raise Refused("This answer is stored for another trial already. Answer this one again.")
    return _Before(
        participant_id=found["participant_id"],
        image_id=found["image_id"],
        class_id=found["class_id"],
        alternative_id=found["alternative_id"],
        stored_revision=found["stored_revision"],
        revisions=found["revisions"] or 0,
        intervals=found["intervals"] or 0,
        shown=found["shown_at"] is not None,
        exposed=found["exposed"] > 0,
        declared=found["declared"] > 0,
        drafted=found["drafted"] > 0,
        not_shown=found["not_shown"] > 0,
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


def _require_open(found: Mapping[str, object]) -> None:
    if found["locked_at"] is not None:
        raise Refused("Your answers are locked: they can't change any more.")
    if found["phase"] != PhaseState.OPEN:
        raise Refused("The evaluation isn't open, so no answer can be stored. Ask the lead.")
    if found["sitter"] != found["participant_id"]:
        raise Refused(
            "This session isn't an evaluation by the labeler whose trial this is. Sign in again."
        )


def _require_classes(found: Mapping[str, object], answer: CommittedAnswer) -> None:
    for wnid, column in ((answer.label, "class_id"), (answer.alternative, "alternative_id")):
        if wnid is not None and found[column] is None:
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


def interval_rows(trial_id: str, visits: Iterable[Visit], *, after: int) -> list[dict[str, object]]:
    """The visits' intervals, numbered on from those that the trial has."""
    by_session = [(visit.session, i) for visit in visits for i in visit.intervals]
    return [
        _interval(trial_id, session, number, interval)
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
