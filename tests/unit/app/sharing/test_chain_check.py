"""`labeler check` finds merged decisions that someone changed afterwards."""

from collections.abc import Callable

import pytest
from sqlalchemy import delete, select, text, update

from labeler.core.sharing.chain import ChainEntry, chain_hash
from labeler.store.schema import ChainEntryRow, ChainWriterRow, PredictionRow
from tests.shared_packed_demo import Lead
from tests.unit.app.sharing.conftest import Opener
from tests.unit.app.sharing.test_merge import merge


@pytest.fixture
def merged(lead: Lead, opened: Opener) -> Lead:
    person = opened("A")
    person.answer(4)
    merge(lead, person.save("week 1"))
    return lead


def faults(lead: Lead) -> list[str]:
    with lead.store.read() as study:
        return study.merges.chain_faults()


def edit_entry(session) -> None:
    changed = ChainEntryRow.content + " "
    session.execute(update(ChainEntryRow).where(ChainEntryRow.number == 2).values(content=changed))


def edit_and_hash_again(session) -> None:
    """Change an answer and recompute all hashes; only the signature is missing."""
    rows = session.scalars(select(ChainEntryRow).order_by(ChainEntryRow.number)).all()
    previous = "0" * 64
    for row in rows:
        row.content = row.content.replace('"confidence":null', '"confidence":5')
        row.hash = previous = chain_hash(previous, row.content)
    session.execute(update(ChainWriterRow).values(last_hash=previous))


def delete_last(session) -> None:
    last = session.scalars(select(ChainEntryRow.number).order_by(ChainEntryRow.number)).all()[-1]
    session.execute(delete(ChainEntryRow).where(ChainEntryRow.number == last))


def insert_one(session) -> None:
    row = session.scalars(select(ChainEntryRow).order_by(ChainEntryRow.number.desc())).first()
    entry = ChainEntry(row.number + 1, chain_hash(row.hash, row.content), row.content)
    session.add(
        ChainEntryRow(
            writer_id=row.writer_id,
            number=entry.number,
            hash=entry.hash,
            content=entry.content,
            added_at=row.added_at,
        )
    )


def swap_two(session) -> None:
    session.execute(text("UPDATE chain_entry SET number = -number WHERE number IN (2, 3)"))
    session.execute(text("UPDATE chain_entry SET number = 5 + number WHERE number < 0"))


def edit_answer(session) -> None:
    one = session.scalars(select(PredictionRow.id).limit(1)).one()
    session.execute(update(PredictionRow).where(PredictionRow.id == one).values(class_id=999))


def delete_answer(session) -> None:
    one = session.scalars(select(PredictionRow.id).limit(1)).one()
    session.execute(delete(PredictionRow).where(PredictionRow.id == one))


def test_merged_work_without_a_change_has_no_fault(merged: Lead) -> None:
    assert faults(merged) == []


@pytest.mark.parametrize(
    "change",
    [
        edit_entry,
        edit_and_hash_again,
        delete_last,
        insert_one,
        swap_two,
        edit_answer,
        delete_answer,
    ],
)
def test_a_change_is_found_and_checking_repairs_nothing(
    merged: Lead, change: Callable[..., None]
) -> None:
    with merged.store.write() as study:
        change(study.session)
    found = faults(merged)
    assert len(found) == 1
    assert found[0].startswith("A:")
    assert faults(merged) == found
