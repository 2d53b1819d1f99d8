"""Work off the GUI thread, as presenters see it."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


def ignore(_answer: object) -> None:
    """Do nothing with a job's result or error."""


class JobCancelled(Exception):
    """Raised inside a job that reports progress after it was cancelled."""


class Job(Protocol):
    """What running work sees of itself."""

    @property
    def cancelled(self) -> bool:
        """Whether the result is no longer needed; a long job checks this regularly."""
        ...

    def progress(self, done: int, total: int) -> None:
        """Report progress; raise `JobCancelled` when the job was cancelled."""
        ...


class JobHandle(Protocol):
    """A submitted job, for the code that submitted it."""

    def cancel(self) -> None:
        """Call none of the job's callbacks from now on."""
        ...


class Runner(Protocol):
    """Runs named jobs on other threads and calls back on the GUI thread.

    A name is constant text that says what the job does. It is written to the log together with
    the job's duration, so it must not contain anything about a study.
    """

    def run(
        self,
        name: str,
        work: Callable[[], T],
        *,
        done: Callable[[T], None] = ignore,
        failed: Callable[[Exception], None],
        urgent: bool = True,
    ) -> JobHandle:
        """Queue the work; urgent jobs start before others."""
        ...

    def run_with_progress(
        self,
        name: str,
        work: Callable[[Job], T],
        *,
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        progress: Callable[[int, int], None],
    ) -> JobHandle:
        """Queue long work that reports progress and can stop when it is cancelled."""
        ...


class LatestRequest:
    """Runs one job at a time: a new one replaces the one before, whose answer is dropped."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._generation = 0
        self._handle: JobHandle | None = None

    def run(
        self,
        name: str,
        work: Callable[[], T],
        *,
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Run the work instead of what was requested before."""
        self.drop()
        generation = self._generation
        self._handle = self._runner.run(
            name,
            work,
            done=lambda result: self._pass_on(generation, done, result),
            failed=lambda error: self._pass_on(generation, failed, error),
        )

    def drop(self) -> None:
        """Cancel what was requested, if anything."""
        self._generation += 1
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _pass_on(self, generation: int, receive: Callable[[T], None], answer: T) -> None:
        if generation == self._generation:
            receive(answer)
