"""A runner that tests drive: jobs run when, and in the order in which, a test says so."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from labeler.app.runner import Job, ignore


@dataclass
class LateTicket:
    """A job that waits until its turn is given to it."""

    work: Callable[[Job], Any]
    done: Callable[[Any], None]
    failed: Callable[[Exception], None]
    urgent: bool
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True

    def progress(self, done: int, total: int) -> None:
        """No one listens."""

    def finish(self) -> None:
        """Run the work and answer, even when that was cancelled: the answer comes too late."""
        try:
            result = self.work(self)
        except Exception as error:
            self.failed(error)
        else:
            self.done(result)


@dataclass
class LateRunner:
    """A runner that a test drives: jobs run when, and in the order in which, it says so."""

    tickets: list[LateTicket] = field(default_factory=list)

    def run(
        self,
        _name: str,
        work: Callable[[], Any],
        *,
        done: Callable[[Any], None] = ignore,
        failed: Callable[[Exception], None],
        urgent: bool = True,
    ) -> LateTicket:
        return self._queue(lambda _job: work(), done=done, failed=failed, urgent=urgent)

    def run_with_progress(
        self,
        _name: str,
        work: Callable[[Job], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        progress: Callable[[int, int], None],  # noqa: ARG002
    ) -> LateTicket:
        return self._queue(work, done=done, failed=failed)

    def _queue(
        self,
        work: Callable[[Job], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        urgent: bool = True,
    ) -> LateTicket:
        self.tickets.append(LateTicket(work=work, done=done, failed=failed, urgent=urgent))
        return self.tickets[-1]

    def finish_all(self) -> None:
        """Run what still waits and is wanted."""
        waiting, self.tickets = self.tickets, []
        for ticket in waiting:
            if not ticket.cancelled:
                ticket.finish()
