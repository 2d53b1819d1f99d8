"""A bundle's own chain: what results files are made of, and what the lock leaves of it."""

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, select, text, update
from sqlalchemy.orm import Session

from labeler.core.sharing.chain import CHAIN_START, ChainEntry
from labeler.core.study.entities import SessionTask
from labeler.store.schema import (
    ChainEntryRow,
    ChainWriterRow,
    DraftRow,
    IntervalRow,
    PredictionRow,
    RepeatedPredictionRow,
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


def seal_locked_work(session: Session, leads: Sequence[LeadPublicKeys]) -> None:
    """Seal all entries to the leads and delete what could be read of the evaluation.

    Answers stay as empty rows: how many there are isn't a secret.
    """
    number = (session.scalar(select(func.max(SealedSegmentRow.number))) or 0) + 1
    last = session.scalar(select(func.max(ChainEntryRow.number))) or 0
    content = _sealed(session, leads).encode()
    session.execute(
        insert(table_of(SealedSegmentRow)),
        [{"number": number, "last_number": last, "content": content}],
    )
    session.execute(update(ChainEntryRow).values(content=""))
    trials = select(TrialRow.id).where(TrialRow.task == SessionTask.EVALUATE)
    nothing = {
        "class_id": 0,
        "alternative_id": None,
        "escape_hatch": False,
        "confidence": None,
        "note": "",
    }
    for row in (PredictionRow, RepeatedPredictionRow):
        session.execute(update(row).where(row.trial_id.in_(trials)).values(**nothing))
    session.execute(delete(IntervalRow).where(IntervalRow.trial_id.in_(trials)))
    session.execute(delete(DraftRow).where(DraftRow.task == SessionTask.EVALUATE))
