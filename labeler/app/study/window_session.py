"""A person's session on a task in one window, which another window can take over."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from labeler import __version__
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role, SessionTask
from labeler.store.study.session_locks import SessionLock
from labeler.store.study_store import StudyStore, Transaction

READ_ONLY = "This window is read-only, because you are working in another one."
# On a server, a session that was active within this time counts as open.
RECENTLY_ACTIVE = timedelta(minutes=5)


class WindowSession:
    """Starts and ends the session, and refuses to write once another window has the work."""

    def __init__(
        self, store: StudyStore, participant: str, *, role: Role, task: SessionTask
    ) -> None:
        self._store = store.hurried()
        self._participant = participant
        self._role = role
        self._session_task = task
        self._session_id: str | None = None
        self._lock: SessionLock | None = None
        self._others: list[str] = []
        self.is_read_only = False

    def take_over(self) -> None:
        """End the person's sessions in other windows, which then can't store anything more."""
        with self._store.write() as study:
            for other in self._others:
                study.sessions.end(other)

    def become_read_only(self) -> None:
        """Leave the work to the other window: nothing is stored from now on."""
        self.is_read_only = True
        with self._store.write() as study:
            study.sessions.end(self._session)
        self._release_lock()

    def _begin_session(self, study: Transaction) -> bool:
        """Start the session; return whether another one on the task seems active."""
        self._others = study.sessions.others_open(
            self._participant,
            task=self._session_task,
            folder=self._store.folder,
            since=self._store.clock.utc() - RECENTLY_ACTIVE,
        )
        self._session_id = study.sessions.begin(
            self._participant,
            role=self._role,
            task=self._session_task,
            program_version=__version__,
        )
        self._lock = SessionLock(self._store.folder, self._session_id)
        return bool(self._others)

    @contextmanager
    def _writing(self) -> Iterator[Transaction]:
        """Write as long as the person hasn't continued in another window."""
        if self.is_read_only:
            raise RefusedError(READ_ONLY)
        with self._store.write() as study:
            study.sessions.require_running(self._session)
            yield study

    def _close(self) -> None:
        """Release the lock and close the store."""
        self._release_lock()
        self._store.close()

    def _release_lock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @property
    def _session(self) -> str:
        assert self._session_id is not None, "the session must be started first"
        return self._session_id
