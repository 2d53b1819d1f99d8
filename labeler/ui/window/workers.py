"""Runs jobs on a pool of threads and brings their answers back to the GUI thread."""

import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QThreadPool, Signal, Slot

from labeler.app.runner import Job, JobCancelled

T = TypeVar("T")

THREAD_NAME = "labeler-worker"

_NO_EXPIRY = -1


class QtTicket:
    """One submitted job: seen by its work as a `Job`, by the one who submitted it as a `Ticket`."""

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
        """Have the callback called on the GUI thread, unless the job is cancelled by then."""
        self._deliver(lambda: None if self.cancelled else callback())


class _SubmittedJob:
    """A submitted job with what it refers to, which is let go on the GUI thread.

    Anyone who lets a widget go last destroys it, and a worker may not: so a worker that comes to
    its
    end holds nothing but the order.
    """

    def __init__(
        self,
        ticket: QtTicket,
        work: Callable[[Job], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self.ticket = ticket
        self._work, self._done, self._failed = work, done, failed

    def run(self) -> None:
        """Do the work on a thread of the pool."""
        try:
            if not self.ticket.cancelled:
                self._end(self._work(self.ticket))
        except JobCancelled:
            pass
        except Exception as error:
            self._fail(error)

    def let_go(self) -> None:
        """Refer to nothing any more; the work has ended and its answer was given."""
        del self._work, self._done, self._failed
        self.ticket.on_progress = None

    def _end(self, result: Any) -> None:
        self.ticket.answer(lambda: self._done(result))

    def _fail(self, error: Exception) -> None:
        self.ticket.answer(lambda: self._failed(error))


class QtRunner(QObject):
    """A `Runner` over a thread pool of its own; it must be closed before it goes."""

    _arrived = Signal(object)

    def __init__(self, *, threads: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setObjectName(THREAD_NAME)
        self._pool.setMaxThreadCount(threads)
        # A thread that ends takes its database connection along, and a new one costs time.
        self._pool.setExpiryTimeout(_NO_EXPIRY)
        # Queues of our own, since Qt's pool forgets the priority of work that it wakes a thread
        # for: the next piece would overtake it. Either of their ends is safe on any thread.
        self._urgent: deque[_SubmittedJob] = deque()
        self._ahead: deque[_SubmittedJob] = deque()
        self._open: set[_SubmittedJob] = set()
        self._arrived.connect(self._call)

    def submit(
        self,
        work: Callable[[Job], T],
        *,
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        progress: Callable[[int, int], None] | None = None,
        urgent: bool = True,
    ) -> QtTicket:
        ticket = QtTicket(self._arrived.emit)
        ticket.on_progress = progress
        order = _SubmittedJob(ticket, work, done, failed)
        self._open.add(order)
        queue = self._urgent if urgent else self._ahead
        queue.append(order)
        self._pool.start(self._run_next)
        return ticket

    def finish(self) -> None:
        """Let everything that was submitted come to its end, and answer nothing any more."""
        self._pool.waitForDone()
        self.close()

    def close(self) -> None:
        """Drop what waits, let what runs come to its end, and answer nothing any more."""
        for order in self._open:
            order.ticket.cancel()
        self._pool.clear()
        self._pool.waitForDone()
        for queue in (self._urgent, self._ahead):
            queue.clear()
        self._open.clear()

    def _run_next(self) -> None:
        """Take the oldest piece of work, of the urgent ones where there are any."""
        for queue in (self._urgent, self._ahead):
            try:
                order = queue.popleft()
            except IndexError:
                continue
            try:
                order.run()
            finally:
                self._arrived.emit(partial(self._close_order, order))
            return

    def _close_order(self, order: _SubmittedJob) -> None:
        self._open.discard(order)
        order.let_go()

    @Slot(object)
    def _call(self, callback: Callable[[], Any]) -> None:
        callback()


# The window keeps a core to itself.
_DECODING_THREADS = max(1, min(2, (os.cpu_count() or 1) - 1))


@dataclass(frozen=True, slots=True)
class Workers:
    """`database` has one thread, so that what is written keeps its order."""

    database: QtRunner = field(default_factory=lambda: QtRunner(threads=1))
    decoding: QtRunner = field(default_factory=lambda: QtRunner(threads=_DECODING_THREADS))
    background: QtRunner = field(default_factory=lambda: QtRunner(threads=1))
    scoring: QtRunner = field(default_factory=lambda: QtRunner(threads=1))

    def finish(self) -> None:
        """Let what is to be written be written, and give up the rest."""
        self.scoring.close()
        self.decoding.close()
        self.background.close()
        self.database.finish()
