"""The short way to the disk, for what a labeler waits for: answers and drafts."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import PoolProxiedConnection

from labeler.core.clock import Clock, stamp
from labeler.core.labeling.answers import CommittedAnswer
from labeler.store.engine.compiled_statements import CursorExecutor, StatementExecutor
from labeler.store.engine.database import Database
from labeler.store.labeling.answers import commit_answer
from labeler.store.labeling.draft_writer import save_trial_draft, touch_session
from labeler.store.labeling.new_trial_query import NewTrial, find_new_trial
from labeler.store.labeling.trial_tasks import EVALUATION, TrialTask

# After so many writes the log is about half as long as SQLite lets it grow before it interrupts.
_WRITES_PER_CHECKPOINT = 40


class RawConnection:
    """Short writes on one connection, for one thread at a time; it fixes itself after a fault."""

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


_TOUCH_EVERY_MS = 60_000


class AnswerConnection:
    """One labeler's answers and drafts, on a connection of their own; for one thread at a time."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        session_id: str,
        task: TrialTask = EVALUATION,
    ) -> None:
        self._connection = RawConnection(database)
        self._clock = clock
        self._session_id = session_id
        self._task = task
        self._touched_ms: int | None = None

    def commit(self, answer: CommittedAnswer) -> int:
        """Store the answer and give its revision; committed again, it changes nothing."""
        with self._connection.write() as line:
            return commit_answer(line, answer, self._task)

    def find_new_trial(self, trial_id: str) -> NewTrial | None:
        """The trial, if it is new to the labeler: asked at every image."""
        with self._connection.read() as line:
            return find_new_trial(line, trial_id, self._task)

    def keep(self, trial_id: str, contents: str) -> bool:
        """Keep the trial's draft; false when no one may work on it any more."""
        now, now_ms = stamp(self._clock.utc()), self._clock.monotonic_ms()
        is_due = self._touched_ms is None or now_ms - self._touched_ms >= _TOUCH_EVERY_MS
        with self._connection.write() as line:
            kept = save_trial_draft(line, trial_id, contents, now=now, task=self._task)
            if is_due:
                touch_session(line, self._session_id, now=now)
        self._touched_ms = now_ms if is_due else self._touched_ms
        # No one waits for a draft, so that this is the moment to put the log in order.
        self._connection.checkpoint()
        return kept

    def close(self) -> None:
        self._connection.close()
