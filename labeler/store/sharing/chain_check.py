"""Checking merged work: chains that were changed, and rows that don't follow from them."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock
from labeler.core.sharing.chain import ChainEntry, first_fault
from labeler.store.schema import ChainEntryRow, ChainWriterRow, ParticipantRow
from labeler.store.sharing.merges import Merges
from labeler.store.sharing.results_file import head_text
from labeler.store.sharing.row_values import BadRow
from labeler.store.sharing.sealing import fingerprint, is_signed_by


def chain_faults(session: Session, clock: Clock) -> Iterator[str]:
    """Yield a sentence for each chain that isn't what its writer signed, or whose rows differ.

    The session must be of a transaction that is undone: rows are derived again to compare them.
    """
    query = select(ChainWriterRow, ParticipantRow.code).join(
        ParticipantRow, ParticipantRow.id == ChainWriterRow.participant_id
    )
    people: dict[int, str] = {}
    broken: set[int] = set()
    for writer, code in session.execute(query.order_by(ChainWriterRow.id)).all():
        people[writer.participant_id] = code
        fault = _chain_fault(session, writer)
        if fault is not None:
            broken.add(writer.participant_id)
            yield f"{code}: {fault}"
    for person, code in people.items():
        if person not in broken and not _rows_follow(session, clock, person):
            yield (
                f"{code}: answers or verdicts in the study differ from those that were merged. "
                "They were added, changed or removed."
            )


def _chain_fault(session: Session, writer: ChainWriterRow) -> str | None:
    query = select(ChainEntryRow.number, ChainEntryRow.hash, ChainEntryRow.content)
    rows = session.execute(
        query.where(ChainEntryRow.writer_id == writer.id).order_by(ChainEntryRow.number)
    )
    entries = [ChainEntry(*row) for row in rows]
    fault = first_fault(entries)
    if fault is not None:
        return f"decision {fault} of {writer.id} was changed, removed, added or moved."
    last = entries[-1] if entries else None
    if fingerprint(writer.public_key) != writer.id or last is None:
        return f"the chain of {writer.id} is empty or has another key."
    text = head_text(writer.bundle_id, last.number, last.hash)
    if not is_signed_by(writer.public_key, writer.signature or b"", text):
        return f"decisions at the end of {writer.id} were removed, or its signature was changed."
    return None


def _rows_follow(session: Session, clock: Clock, participant_id: int) -> bool:
    """Return whether deriving the person's rows again changes nothing."""
    try:
        changes = Merges(session, clock).derive(participant_id)
    except BadRow:
        return False
    return not (changes.added or changes.removed or changes.updated)
