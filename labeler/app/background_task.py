"""Long work off the GUI thread: it says how far it is and what is left, and can be stopped."""

from collections.abc import Callable
from threading import Event, Lock
from typing import Generic, TypeVar

from labeler.app.progress import ProgressReporter
from labeler.app.runner import Job, JobCancelled, JobHandle, Runner
from labeler.app.time_text import format_time_left
from labeler.core.clock import Clock
from labeler.core.errors import RefusedError

T = TypeVar("T")


class TaskStopped(RefusedError):
    """The work was asked to stop, did, and left everything as it was."""


# Before that much is done, an estimate is worse than none.
_REPORTED_SHARE = 0.03
_REPORTED_STEPS = 200


class BackgroundTask(Generic[T]):
    """Does one piece of work at a time; `show` gets what is done, the total, and a sentence."""

    def __init__(
        self,
        work: Callable[[ProgressReporter], T],
        *,
        runner: Runner,
        clock: Clock,
        show: Callable[[int, int, str], None],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._work = work
        self._runner = runner
        self._clock = clock
        self._show = show
        self._done = done
        self._failed = failed
        self._ticket: JobHandle | None = None
        # One that was cancelled may still be on its way out when the next begins.
        self._one_at_a_time = Lock()
        self._reporting: _Reporting | None = None
        self._stopping = Event()
        self._stage, self._stage_began_ms = "", 0

    @property
    def runs(self) -> bool:
        return self._ticket is not None

    def start(self) -> None:
        """Begin, unless it runs already."""
        if self.runs:
            return
        self._stage = ""
        self._stopping.clear()
        self._show(0, 0, "Preparing")
        self._ticket = self._runner.submit(
            self._do, done=self._finish, failed=self._fail, progress=self._report
        )

    def cancel(self) -> None:
        """Stop as soon as may be; none of the callbacks is called any more."""
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None

    def wait_out(self) -> None:
        """Return when nothing of it is on its way out any more; not for the window's thread."""
        with self._one_at_a_time:
            return

    def stop(self) -> None:
        """Ask it to stop; `failed` hears `Stopped`, or `done` the result where it was too late."""
        self._stopping.set()

    def _do(self, job: Job) -> T:
        with self._one_at_a_time:
            self._reporting = _Reporting(job, self._stopping)
            return self._work(self._reporting)

    def _finish(self, result: T) -> None:
        self._ticket = None
        self._done(result)

    def _fail(self, error: Exception) -> None:
        self._ticket = None
        self._failed(error)

    def _report(self, done: int, total: int) -> None:
        now = self._clock.monotonic_ms()
        stage = self._reporting.stage if self._reporting is not None else ""
        if stage != self._stage:
            self._stage, self._stage_began_ms = stage, now
        estimate = _estimate(done, total, spent_ms=now - self._stage_began_ms)
        self._show(done, total, " · ".join(filter(None, (stage, estimate))))


class _Reporting:
    """A `Progress` that passes what it hears on to a runner's job."""

    def __init__(self, job: Job, stopping: Event) -> None:
        self._job = job
        self._stopping = stopping
        self._done = 0
        self._total = 0
        self.stage = ""

    def start(self, what: str, total: int | None) -> None:
        self._heed()
        self.stage = what
        self._done, self._total = 0, total or 0
        self._job.progress(0, self._total)

    def advance(self, steps: int = 1) -> None:
        self._heed()
        before = self._part
        self._done += steps
        if self._part != before:
            self._job.progress(self._done, self._total)

    def _heed(self) -> None:
        if self._job.cancelled:
            raise JobCancelled
        if self._stopping.is_set():
            raise TaskStopped("Cancelled: nothing was changed.")

    @property
    def _part(self) -> int:
        """How far the work is in coarse steps: thousands of pictures need fewer messages."""
        return self._done * _REPORTED_STEPS // max(self._total, 1)


def _estimate(done: int, total: int, *, spent_ms: int) -> str:
    if not total or done / total < _REPORTED_SHARE:
        return ""
    return format_time_left(round(spent_ms * (total - done) / done))
