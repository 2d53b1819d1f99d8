"""Work off the GUI thread: what a presenter may ask for, anyone who does the work."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class JobCancelled(Exception):
    """Raised inside a job that reports its progress after no one wants its result any more."""


class Job(Protocol):
    """What running work sees of itself."""

    @property
    def cancelled(self) -> bool:
        """Whether the result is still wanted; a long job looks now and then."""
        ...

    def progress(self, done: int, total: int) -> None:
        """Say how far the work is; raises `Cancelled` when it may stop."""
        ...


class JobHandle(Protocol):
    """The hold that the one who submitted a job keeps on it."""

    def cancel(self) -> None:
        """Give the result up: from now on none of the job's callbacks is called."""
        ...


class Runner(Protocol):
    """Runs jobs elsewhere; every callback is called on the thread that submitted the job."""

    def submit(
        self,
        work: Callable[[Job], T],
        *,
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        progress: Callable[[int, int], None] | None = None,
        urgent: bool = True,
    ) -> JobHandle:
        """Queue the work; urgent work overtakes what isn't."""
        ...


class LatestRequest:
    """Passes on the answer to the newest request only: a late answer to an old one is dropped."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._generation = 0
        self._ticket: JobHandle | None = None

    def request(
        self,
        work: Callable[[Job], T],
        *,
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Ask for the work's result in place of whatever was asked for before."""
        self.drop()
        generation = self._generation
        self._ticket = self._runner.submit(
            work,
            done=lambda result: self._pass_on(generation, done, result),
            failed=lambda error: self._pass_on(generation, failed, error),
        )

    def drop(self) -> None:
        """Want nothing any more."""
        self._generation += 1
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None

    def _pass_on(self, generation: int, receive: Callable[[T], None], answer: T) -> None:
        # A runner may have queued the answer before it heard of the cancellation.
        if generation == self._generation:
            receive(answer)
