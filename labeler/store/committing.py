"""Storing one answer of an evaluation: its prediction, intervals and exposure, all or nothing."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Row, bindparam, delete, exists, func, insert, select, text, update
from sqlalchemy.orm import Session
from sqlalchemy.sql.selectable import ScalarSelect

from labeler.core.answers import CommittedAnswer, RecordedInterval
from labeler.core.errors import Refused
from labeler.core.phases import Phase, PhaseState
from labeler.core.study import Occasion, Task
from labeler.store.schema import (
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
    stored = _stored_revision(session, answer)
    if stored is not None:
        return stored
    trial = _open_trial(session, answer)
    _append_prediction(session, answer, trial)
    _append_intervals(session, answer, first=trial.intervals)
    _note_exposures(session, answer, trial)
    if not trial.shown:
        shown = update(TrialRow).where(TrialRow.id == answer.trial_id)
        session.execute(shown.values(shown_at=answer.shown_at))
    _discard_draft(session, answer, trial)
    return trial.revisions + 1


def packed_inputs(inputs: Sequence[int]) -> bytes:
    """Moments as the database keeps them: 64-bit little-endian integers."""
    return struct.pack(f"<{len(inputs)}q", *inputs)


def unpacked_inputs(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """What the trial has before the answer; `revisions` and `intervals` count from its start."""

    participant_id: int
    image_id: int
    shown: bool
    revisions: int
    intervals: int
    exposed: bool
    declared: bool


def _stored_revision(session: Session, answer: CommittedAnswer) -> int | None:
    query = select(PredictionRow.trial_id, PredictionRow.revision)
    found = session.execute(query.where(PredictionRow.id == answer.answer_id)).one_or_none()
    if found is None:
        return None
    trial_id, revision = found
    if trial_id != answer.trial_id:
        raise Refused("This answer is stored for another trial already. Answer this one again.")
    return revision


def _exposed_by(occasion: Occasion) -> ScalarSelect[bool]:
    return (
        select(
            exists().where(
                ExposureRow.image_id == TrialRow.image_id,
                ExposureRow.participant_id == TrialRow.participant_id,
                ExposureRow.occasion == occasion,
            )
        )
        .correlate(TrialRow)
        .scalar_subquery()
    )


_REVISIONS = (
    select(func.max(PredictionRow.revision))
    .where(
        PredictionRow.participant_id == TrialRow.participant_id,
        PredictionRow.image_id == TrialRow.image_id,
        EVALUATION_PREDICTION,
    )
    .scalar_subquery()
)
_LAST_INTERVAL = (
    select(func.max(IntervalRow.number)).where(IntervalRow.trial_id == TrialRow.id)
).scalar_subquery()
_PHASE = select(PhaseRow.state).where(PhaseRow.phase == Phase.EVALUATE).scalar_subquery()
_SITTER = (
    select(SessionRow.participant_id)
    .where(SessionRow.id == bindparam("session_id"), SessionRow.task == Task.EVALUATE)
    .scalar_subquery()
)
_TRIAL = select(
    TrialRow.participant_id,
    TrialRow.image_id,
    TrialRow.shown_at,
    TrialRow.locked_at,
    _PHASE.label("phase"),
    _SITTER.label("sitter"),
    func.coalesce(_REVISIONS, 0).label("revisions"),
    func.coalesce(_LAST_INTERVAL, 0).label("intervals"),
    _exposed_by(Occasion.EVALUATION).label("exposed"),
    _exposed_by(Occasion.DECLARED).label("declared"),
).where(TrialRow.id == bindparam("trial_id"))


def _open_trial(session: Session, answer: CommittedAnswer) -> _Trial:
    """The trial, refused unless its labeler may still answer it in this session."""
    keys = {"trial_id": answer.trial_id, "session_id": answer.session_id}
    row = session.execute(_TRIAL, keys).one_or_none()
    if row is None:
        raise Refused("The study has no such trial. Sign in again.")
    _require_open(row)
    return _Trial(
        participant_id=row.participant_id,
        image_id=row.image_id,
        shown=row.shown_at is not None,
        revisions=row.revisions,
        intervals=row.intervals,
        exposed=row.exposed,
        declared=row.declared,
    )


def _require_open(row: Row[*tuple[object, ...]]) -> None:
    if row.locked_at is not None:
        raise Refused("Your answers are locked: they can't change any more.")
    if row.phase is not PhaseState.OPEN:
        raise Refused("The evaluation isn't open, so no answer can be stored. Ask the lead.")
    if row.sitter != row.participant_id:
        raise Refused(
            "This session isn't an evaluation by the labeler whose trial this is. Sign in again."
        )


def _append_prediction(session: Session, answer: CommittedAnswer, trial: _Trial) -> None:
    classes = _class_ids(session, answer)
    values = {
        "id": answer.answer_id,
        "trial_id": answer.trial_id,
        "participant_id": trial.participant_id,
        "task": Task.EVALUATE,
        "image_id": trial.image_id,
        "revision": trial.revisions + 1,
        "class_id": classes[answer.label],
        "escape_hatch": answer.escape_hatch,
        "alternative_id": None if answer.alternative is None else classes[answer.alternative],
        "confidence": answer.confidence,
        "note": answer.note,
        "active_ms": answer.active_ms,
        "wall_ms": answer.wall_ms,
        "shown_at": answer.shown_at,
        "committed_at": answer.submitted_at,
    }
    session.execute(insert(PredictionRow), [values])


def _class_ids(session: Session, answer: CommittedAnswer) -> dict[str, int]:
    wanted = {answer.label} if answer.alternative is None else {answer.label, answer.alternative}
    query = select(ClassRow.wnid, ClassRow.id).where(ClassRow.wnid.in_(wanted))
    found = dict(session.execute(query).all())
    for wnid in sorted(wanted - set(found)):
        raise Refused(f"'{wnid}' is no class of this study. Choose one of its classes.")
    return found


def _append_intervals(session: Session, answer: CommittedAnswer, *, first: int) -> None:
    rows = [
        _interval(answer, number, interval)
        for number, interval in enumerate(answer.intervals, start=first + 1)
    ]
    if rows:
        session.execute(insert(IntervalRow), rows)


def _interval(
    answer: CommittedAnswer, number: int, interval: RecordedInterval
) -> dict[str, object]:
    return {
        "trial_id": answer.trial_id,
        "number": number,
        "session_id": answer.session_id,
        "place": interval.place,
        "started_ms": interval.started_ms,
        "ended_ms": interval.ended_ms,
        "inputs": packed_inputs(interval.inputs),
    }


def _note_exposures(session: Session, answer: CommittedAnswer, trial: _Trial) -> None:
    occasions = [] if trial.exposed else [Occasion.EVALUATION]
    if answer.knows_image and not trial.declared:
        occasions.append(Occasion.DECLARED)
    rows = [
        {
            "participant_id": trial.participant_id,
            "image_id": trial.image_id,
            "occasion": occasion,
            "session_id": answer.session_id,
            "at": answer.submitted_at,
        }
        for occasion in occasions
    ]
    if rows:
        session.execute(insert(ExposureRow), rows)


def _discard_draft(session: Session, answer: CommittedAnswer, trial: _Trial) -> None:
    session.execute(
        delete(DraftRow).where(
            DraftRow.participant_id == trial.participant_id,
            DraftRow.task == Task.EVALUATE,
            DraftRow.subject == answer.trial_id,
        )
    )
