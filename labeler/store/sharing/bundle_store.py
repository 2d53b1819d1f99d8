"""The study inside a bundle: every transaction that changes a person's work joins their chain."""

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.sharing.chain import CHAIN_START, chain_hash
from labeler.core.study.entities import Role, SessionTask
from labeler.store.engine.database import Database
from labeler.store.schema import ChainEntryRow, ChainWriterRow, ChangedRow, TrialRow, table_of
from labeler.store.sharing.own_work import seal_what_is_locked
from labeler.store.sharing.row_values import canonical, to_json
from labeler.store.sharing.sealing import (
    LeadPublicKeys,
    WrongSecret,
    decrypt,
    encrypt,
    fingerprint,
    public_signing_key,
)
from labeler.store.sharing.shared_tables import TABLE_BY_NAME, SharedTable, tables_of
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import JournalLines, StudyStore, Transaction

_JOURNAL = b"labeler journal"


class SealedLines(JournalLines):
    """Lines that can be read with the bundle's key only."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def sealed(self, line: bytes) -> bytes:
        return base64.b64encode(encrypt(self._key, line, context=_JOURNAL))

    def opened(self, line: bytes) -> bytes:
        """Return the line; one that was torn or is of another bundle is empty."""
        try:
            return decrypt(self._key, base64.b64decode(line, validate=True), context=_JOURNAL)
        except (WrongSecret, ValueError):
            return b""


class BundleStore(StudyStore):
    """A bundle behind the repositories of a study.

    `key` is that of its contents, `leads` are those to whom results are sealed.
    """

    def __init__(
        self,
        folder: StudyFolder,
        database: Database,
        clock: Clock,
        *,
        key: bytes,
        leads: tuple[LeadPublicKeys, ...],
    ) -> None:
        super().__init__(folder, database, clock)
        self.key, self.leads = key, leads
        self.journal_lines = SealedLines(key)

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """One transaction; what it changed is in the chain when the block ends.

        Once the evaluation is locked, only a lead can read its answers.
        """
        sealed = False
        with self.database.write() as session:
            yield Transaction(session, self.clock)
            session.flush()
            if append_changes(session, self.clock):
                sealed = seal_what_is_locked(session, self.leads)
        if sealed:
            self.forget_deleted()

    def forget_deleted(self) -> None:
        """Empty SQLite's log, which has deleted values until it is written into the file."""
        with self.database.engine.connect() as connection:
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql("BEGIN")

    def hurried(self) -> "BundleStore":
        return BundleStore(
            self.folder, self.database.hurried(), self.clock, key=self.key, leads=self.leads
        )


def watch_changes(session: Session, role: Role) -> None:
    """Have SQLite note every row of the person's work that is added or changed."""
    for table in tables_of(role):
        key = ", ".join(f'NEW."{column}"' for column in table.key)
        note = (
            "BEGIN INSERT INTO changed_row (table_name, key) "
            f"VALUES ('{table.name}', json_array({key})); END"
        )
        session.execute(
            text(f'CREATE TRIGGER "added_{table.name}" AFTER INSERT ON "{table.name}" {note}')
        )
        if table.watched:
            columns = ", ".join(f'"{column}"' for column in table.watched)
            session.execute(
                text(
                    f'CREATE TRIGGER "changed_{table.name}" AFTER UPDATE OF {columns} '
                    f'ON "{table.name}" {note}'
                )
            )


def forget_changes(session: Session) -> None:
    """Leave what this transaction changed out of the chain: the lead did it, not the person."""
    session.flush()
    session.execute(delete(ChangedRow))


def add_writer(session: Session, *, bundle_id: str, private_key: bytes) -> str:
    """Add the only writer of this installation, and return its id."""
    public = public_signing_key(private_key)
    row = ChainWriterRow(
        id=fingerprint(public),
        bundle_id=bundle_id,
        participant_id=1,
        public_key=public,
        private_key=private_key,
        last_number=0,
        last_hash=CHAIN_START,
    )
    session.add(row)
    session.flush()
    return row.id


def append_changes(session: Session, clock: Clock) -> bool:
    """Append the rows that this transaction changed to the chain, as one entry.

    Return whether they lock the evaluation.
    """
    changed = list(
        dict.fromkeys(
            (table, key)
            for table, key in session.execute(
                select(ChangedRow.table_name, ChangedRow.key).order_by(ChangedRow.number)
            )
        )
    )
    if not changed:
        return False
    rows = [(table, _raw_row(session, TABLE_BY_NAME[table], key)) for table, key in changed]
    content = canonical({"at": stamp(clock.utc()), "rows": rows})
    writer = session.execute(
        select(ChainWriterRow.id, ChainWriterRow.last_number, ChainWriterRow.last_hash)
    ).one()
    hashed, number = chain_hash(writer.last_hash, content), writer.last_number + 1
    session.execute(
        insert(table_of(ChainEntryRow)),
        [
            {
                "writer_id": writer.id,
                "number": number,
                "hash": hashed,
                "content": content,
                "added_at": stamp(clock.utc()),
            }
        ],
    )
    session.execute(update(ChainWriterRow).values(last_number=number, last_hash=hashed))
    session.execute(delete(ChangedRow))
    return any(table == TrialRow.__tablename__ and _is_locked(row) for table, row in rows)


def _is_locked(trial: Mapping[str, object]) -> bool:
    return trial["task"] == SessionTask.EVALUATE.value and trial["locked_at"] is not None


def _raw_row(session: Session, table: SharedTable, key: str) -> dict[str, object]:
    """Return the row as SQLite stores it."""
    values = {f"k{number}": value for number, value in enumerate(json.loads(key))}
    where = " AND ".join(f'"{column}" = :k{n}' for n, column in enumerate(table.key))
    found = session.execute(text(f'SELECT * FROM "{table.name}" WHERE {where}'), values)
    return to_json(dict(found.mappings().one()))
