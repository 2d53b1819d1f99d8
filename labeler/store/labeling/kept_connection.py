"""A connection kept open for what a labeler waits for, past everything that costs time."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import PoolProxiedConnection

from labeler.store.engine.compiled_statements import CursorExecutor, StatementExecutor
from labeler.store.engine.database import Database

# After so many writes the log is about half as long as SQLite lets it grow before it interrupts.
_WRITES_PER_CHECKPOINT = 40


class RawConnection:
    """Short writes on one connection, for one thread at a time; it mends itself after a fault."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: PoolProxiedConnection | None = None
        self._writes = 0

    @contextmanager
    def read(self) -> Iterator[StatementExecutor]:
        """One look at the study; nothing done in it is kept."""
        with self._database.translate_errors():
            connection = self._connect()
            cursor = connection.cursor()
            try:
                yield CursorExecutor(cursor, self._database.engine.dialect)
            finally:
                self._close(cursor)
                self._roll_back(connection)

    @contextmanager
    def write(self) -> Iterator[StatementExecutor]:
        """One transaction: all of it is on disk when the block ends, or none of it."""
        with self._database.translate_errors():
            connection = self._connect()
            cursor = connection.cursor()
            try:
                self._database.begin_write(cursor)
                yield CursorExecutor(cursor, self._database.engine.dialect)
                connection.commit()
            except BaseException:
                self._roll_back(connection)
                raise
            finally:
                self._close(cursor)
        self._writes += 1

    def checkpoint(self) -> None:
        """Move what waits in SQLite's log into the file, before a commit would have to do it."""
        if self._writes < _WRITES_PER_CHECKPOINT or not self._database.is_sqlite:
            return
        self._writes = 0
        with self._database.translate_errors():
            self._connect().cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> PoolProxiedConnection:
        if self._connection is None:
            self._connection = self._database.engine.raw_connection()
        return self._connection

    def _roll_back(self, connection: PoolProxiedConnection) -> None:
        """Undo what was begun; a connection that can't even do that is thrown away."""
        try:
            connection.rollback()
        except self._database.driver_error:
            self._connection = None
            connection.invalidate()

    def _close(self, cursor: Any) -> None:
        with suppress(self._database.driver_error):
            cursor.close()
