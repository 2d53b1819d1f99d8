"""Runs jobs on pools of threads and returns their results to the GUI thread."""

import logging
import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QThreadPool, Signal, Slot

from labeler.app.runner import Job, JobCancelled, ignore

T = TypeVar("T")

THREAD_NAME = "labeler-worker"

_NO_EXPIRY = -1
_log = logging.getLogger(__name__)


class QtJob:
    """One job: a `Job` for its work, a `JobHandle` for the code that submitted it."""

    def __init__(self, deliver: Callable[[Callable[[], None]], None]) -> None:
        self._deliver = deliver
        self._cancelled = Event()
        self.on_progress: Callable[[int, int], None] | None = None

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def progress(self, done: int, total: int) -> None:
        if self.cancelled:
            raise JobCancelled
        on_progress = self.on_progress
        if on_progress is not None:
            self.answer(lambda: on_progress(done, total))

    def answer(self, callback: Callable[[], None]) -> None:
        """Call the callback on the GUI thread, unless the job is cancelled by then."""
        self._deliver(lambda: None if self.cancelled else callback())


class _QueuedJob:
    """A job with its work and callbacks, which are released on the GUI thread.

    The last reference to a widget destroys the widget, which only the GUI thread may do. A worker
    that has finished its work therefore holds nothing but this object.
    """

    def __init__(
        self,
        name: str,
        job: QtJob,
        work: Callable[[Job], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self.job = job
        self._name = name
        self._work, self._done, self._failed = work, done, failed

    def run(self) -> None:
        """Do the work on a thread of the pool, and log how long it took."""
        if self.job.cancelled:
            return
        began = time.monotonic()
        outcome = "finished"
        try:
            self._finish(self._work(self.job))
        except JobCancelled:
            outcome = "cancelled"
        except Exception as error:
            outcome = "failed"
            self._fail(error)
        duration_ms = round((time.monotonic() - began) * 1000)
        facts = {"job": self._name, "outcome": outcome, "duration_ms": duration_ms}
        _log.debug("job", extra=facts)

    def release(self) -> None:
        """Drop all references; the work has ended and its answer was delivered."""
        del self._work, self._done, self._failed
        self.job.on_progress = None

    def _finish(self, result: Any) -> None:
        self.job.answer(lambda: self._done(result))

    def _fail(self, error: Exception) -> None:
        self.job.answer(lambda: self._failed(error))


class QtRunner(QObject):
    """A `Runner` with its own thread pool; it must be closed before it is destroyed."""

    _arrived = Signal(object)

    def __init__(self, *, threads: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setObjectName(THREAD_NAME)
        self._pool.setMaxThreadCount(threads)
        # A thread that ends closes its database connection, and a new connection costs time.
        self._pool.setExpiryTimeout(_NO_EXPIRY)
        # Separate queues, because Qt's pool ignores the priority of a job that it wakes a thread
        # for: the next job would overtake it. Both ends of a deque are safe on any thread.
        self._urgent: deque[_QueuedJob] = deque()
        self._waiting: deque[_QueuedJob] = deque()
        self._open: set[_QueuedJob] = set()
        self._arrived.connect(self._call)

    def run(
        self,
        name: str,
        work: Callable[[], T],
        *,
        done: Callable[[T], None] = ignore,
        failed: Callable[[Exception], None],
        urgent: bool = True,
    ) -> QtJob:
        return self._queue(name, lambda _job: work(), done, failed, urgent=urgent)

    def run_with_progress(
        self,
        name: str,
        work: Callable[[Job], T],
        *,
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        progress: Callable[[int, int], None],
    ) -> QtJob:
        return self._queue(name, work, done, failed, progress=progress)

    def _queue(
        self,
        name: str,
        work: Callable[[Job], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        *,
        progress: Callable[[int, int], None] | None = None,
        urgent: bool = True,
    ) -> QtJob:
        job = QtJob(self._arrived.emit)
        job.on_progress = progress
        queued = _QueuedJob(name, job, work, done, failed)
        self._open.add(queued)
        (self._urgent if urgent else self._waiting).append(queued)
        self._pool.start(self._run_next)
        return job

    def finish(self) -> None:
        """Wait until every job has run, and deliver no further answers."""
        self._pool.waitForDone()
        self.close()

    def close(self) -> None:
        """Drop queued jobs, wait for running ones, and deliver no further answers."""
        for queued in self._open:
            queued.job.cancel()
        self._pool.clear()
        self._pool.waitForDone()
        for queue in (self._urgent, self._waiting):
            queue.clear()
        self._open.clear()

    def _run_next(self) -> None:
        """Run the oldest urgent job, or the oldest of the others."""
        for queue in (self._urgent, self._waiting):
            try:
                queued = queue.popleft()
            except IndexError:
                continue
            try:
                queued.run()
            finally:
                self._arrived.emit(partial(self._close_job, queued))
            return

    def _close_job(self, queued: _QueuedJob) -> None:
        self._open.discard(queued)
        queued.release()

    @Slot(object)
    def _call(self, callback: Callable[[], Any]) -> None:
        callback()


# One core is left to the window.
_DECODING_THREADS = max(1, min(2, (os.cpu_count() or 1) - 1))


@dataclass(frozen=True, slots=True)
class Workers:
    """The runners of a window; `database` has one thread, so that writes keep their order."""

    database: QtRunner = field(default_factory=lambda: QtRunner(threads=1))
    decoding: QtRunner = field(default_factory=lambda: QtRunner(threads=_DECODING_THREADS))
    background: QtRunner = field(default_factory=lambda: QtRunner(threads=1))
    scoring: QtRunner = field(default_factory=lambda: QtRunner(threads=1))

    def finish(self) -> None:
        """Wait until everything is written to the database, and drop all other jobs."""
        self.scoring.close()
        self.decoding.close()
        self.background.close()
        self.database.finish()
