"""Runs jobs on a pool of threads and brings their answers back to the GUI thread."""

from collections import deque
from collections.abc import Callable
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QThreadPool, Signal, Slot

from labeler.app.runner import Cancelled, Job

T = TypeVar("T")

THREAD_NAME = "labeler-worker"

_NEVER = -1


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
            raise Cancelled
        on_progress = self.on_progress
        if on_progress is not None:
            self.answer(lambda: on_progress(done, total))

    def answer(self, callback: Callable[[], None]) -> None:
        """Have the callback called on the GUI thread, unless the job is cancelled by then."""
        self._deliver(lambda: None if self.cancelled else callback())


class QtRunner(QObject):
    """A `Runner` over a thread pool of its own; it must be closed before it goes."""

    _arrived = Signal(object)

    def __init__(self, *, threads: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setObjectName(THREAD_NAME)
        self._pool.setMaxThreadCount(threads)
        # A thread that ends takes its database connection along, and a new one costs time.
        self._pool.setExpiryTimeout(_NEVER)
        # Queues of our own, since Qt's pool forgets the priority of work that it wakes a thread
        # for: the next piece would overtake it. Either of their ends is safe on any thread.
        self._urgent: deque[Callable[[], None]] = deque()
        self._ahead: deque[Callable[[], None]] = deque()
        self._open: set[QtTicket] = set()
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
        self._open.add(ticket)
        queue = self._urgent if urgent else self._ahead
        queue.append(lambda: self._run(ticket, work, done, failed))
        self._pool.start(self._run_next)
        return ticket

    def finish(self) -> None:
        """Let everything that was submitted come to its end, and answer nothing any more."""
        self._pool.waitForDone()
        self.close()

    def close(self) -> None:
        """Drop what waits, let what runs come to its end, and answer nothing any more."""
        for ticket in self._open:
            ticket.cancel()
        self._pool.clear()
        self._pool.waitForDone()
        for queue in (self._urgent, self._ahead):
            queue.clear()
        self._open.clear()

    def _run_next(self) -> None:
        """Take the oldest piece of work, of the urgent ones where there are any."""
        for queue in (self._urgent, self._ahead):
            try:
                run = queue.popleft()
            except IndexError:
                continue
            run()
            return

    def _run(
        self,
        ticket: QtTicket,
        work: Callable[[Job], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Do the work on a thread of the pool."""
        try:
            if not ticket.cancelled:
                result = work(ticket)
                ticket.answer(lambda: done(result))
        except Cancelled:
            pass
        except Exception as error:
            fault = error
            ticket.answer(lambda: failed(fault))
        finally:
            self._arrived.emit(lambda: self._open.discard(ticket))

    @Slot(object)
    def _call(self, callback: Callable[[], Any]) -> None:
        callback()
