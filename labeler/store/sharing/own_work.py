"""A bundle's own chain: what results files are made of, and what the lock leaves of it."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, select, text, update
from sqlalchemy.orm import Session

from labeler.core.sharing.chain import CHAIN_START, ChainEntry
from labeler.core.study.entities import SessionTask, Stage
from labeler.core.study.phases import PHASE_BY_STAGE, Phase, PhaseState
from labeler.store.schema import (
    ChainEntryRow,
    ChainWriterRow,
    DraftRow,
    FlagAnswerRow,
    FlagCheckRow,
    IntervalRow,
    PhaseRow,
    PredictionRow,
    RepeatedPredictionRow,
    RepeatedReviewRow,
    ReviewFlagRow,
    ReviewRepeatRow,
    ReviewRow,
    ReviewVisitRow,
    SealedSegmentRow,
    TrialRow,
    table_of,
)
from labeler.store.sharing.results_file import Work, sealed_segment
from labeler.store.sharing.row_values import to_json
from labeler.store.sharing.sealing import LeadPublicKeys


def current_segments(session: Session, leads: Sequence[LeadPublicKeys]) -> list[str]:
    """Return what was sealed before, and everything since, sealed now."""
    query = select(SealedSegmentRow.content).order_by(SealedSegmentRow.number)
    earlier = [content.decode() for content in session.scalars(query)]
    return [*earlier, _sealed(session, leads)]


def _sealed(session: Session, leads: Sequence[LeadPublicKeys]) -> str:
    writer = session.scalars(select(ChainWriterRow)).one()
    assert writer.private_key is not None, "a bundle has the key of its writer"
    return sealed_segment(
        _open_work(session), bundle_id=writer.bundle_id, private_key=writer.private_key, leads=leads
    )


def _open_work(session: Session) -> Work:
    """Return the entries that aren't sealed yet."""
    query = select(ChainEntryRow.number, ChainEntryRow.hash, ChainEntryRow.content)
    entries = [ChainEntry(*row) for row in session.execute(query.order_by(ChainEntryRow.number))]
    readable = [entry for entry in entries if entry.content]
    sealed = [entry for entry in entries if not entry.content]
    drafts = session.execute(text("SELECT task, subject, contents, updated_at FROM draft"))
    return Work(
        after=sealed[-1].number if sealed else 0,
        start=sealed[-1].hash if sealed else CHAIN_START,
        entries=readable,
        drafts=[to_json(dict(row)) for row in drafts.mappings()],
    )


def seal_what_is_locked(session: Session, leads: Sequence[LeadPublicKeys]) -> bool:
    """Seal all entries to the leads and delete what could be read of locked work.

    Nothing is done, and False returned, if everything locked is sealed already.
    """
    locked = set(session.scalars(select(PhaseRow.phase).where(PhaseRow.state == PhaseState.LOCKED)))
    evaluation = Phase.EVALUATE in locked or _any(session, _IS_LOCKED_TRIAL)
    stages = [stage for stage, phase in PHASE_BY_STAGE.items() if phase in locked]
    readable = evaluation and _has_readable_answers(session)
    judged = [stage for stage in stages if _any(session, ReviewRow.stage == stage)]
    judged += [stage for stage in stages if _any(session, ReviewFlagRow.stage == stage)]
    if not readable and not judged:
        return False
    _seal(session, leads)
    if readable:
        _delete_answers(session)
    for stage in dict.fromkeys(judged):
        _delete_verdicts(session, stage)
    return True


_IS_LOCKED_TRIAL = and_(TrialRow.task == SessionTask.EVALUATE, TrialRow.locked_at.is_not(None))
_ASKED = select(TrialRow.id).where(TrialRow.task == SessionTask.EVALUATE)
_ANSWERS = (PredictionRow, RepeatedPredictionRow)
_NO_ANSWER = {
    "class_id": 0,
    "alternative_id": None,
    "escape_hatch": False,
    "confidence": None,
    "note": "",
}


def _any(session: Session, condition: ColumnElement[bool]) -> bool:
    return bool(session.scalar(select(exists().where(condition))))


def _has_readable_answers(session: Session) -> bool:
    return _any(session, IntervalRow.trial_id.in_(_ASKED)) or any(
        _any(session, and_(row.trial_id.in_(_ASKED), row.class_id != _NO_ANSWER["class_id"]))
        for row in _ANSWERS
    )


def _seal(session: Session, leads: Sequence[LeadPublicKeys]) -> None:
    number = (session.scalar(select(func.max(SealedSegmentRow.number))) or 0) + 1
    last = session.scalar(select(func.max(ChainEntryRow.number))) or 0
    content = _sealed(session, leads).encode()
    session.execute(
        insert(table_of(SealedSegmentRow)),
        [{"number": number, "last_number": last, "content": content}],
    )
    session.execute(update(ChainEntryRow).values(content=""))


def _delete_answers(session: Session) -> None:
    """Answers stay as empty rows: how many there are isn't a secret."""
    for row in _ANSWERS:
        session.execute(update(row).where(row.trial_id.in_(_ASKED)).values(**_NO_ANSWER))
    session.execute(delete(IntervalRow).where(IntervalRow.trial_id.in_(_ASKED)))
    session.execute(delete(DraftRow).where(DraftRow.task == SessionTask.EVALUATE))


def _delete_verdicts(session: Session, stage: Stage) -> None:
    repeats = select(ReviewRepeatRow.id).where(ReviewRepeatRow.stage == stage)
    checks = select(FlagCheckRow.id).where(FlagCheckRow.stage == stage)
    visits = select(ReviewVisitRow.id).where(ReviewVisitRow.stage == stage)
    for deleted in (
        delete(ReviewRow).where(ReviewRow.stage == stage),
        delete(ReviewFlagRow).where(ReviewFlagRow.stage == stage),
        delete(RepeatedReviewRow).where(RepeatedReviewRow.repeat_id.in_(repeats)),
        delete(FlagAnswerRow).where(FlagAnswerRow.check_id.in_(checks)),
        delete(DraftRow).where(DraftRow.subject.in_(visits)),
    ):
        session.execute(deleted)
