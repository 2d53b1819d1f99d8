"""Long work off the GUI thread that reports its progress and can be stopped."""

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
    """The work stopped on request and changed nothing."""


# Below this share of the work, an estimate of the remaining time is too unreliable to show.
_REPORTED_SHARE = 0.03
_REPORTED_STEPS = 200

PREPARING = "Preparing"
STOPPED = "Cancelled. Nothing was changed."


class BackgroundTask(Generic[T]):
    """Runs the work one at a time; `show` gets the steps done, the total and a sentence."""

    def __init__(
        self,
        name: str,
        work: Callable[[ProgressReporter], T],
        *,
        runner: Runner,
        clock: Clock,
        show: Callable[[int, int, str], None],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._name, self._work = name, work
        self._runner = runner
        self._clock = clock
        self._show = show
        self._done = done
        self._failed = failed
        self._handle: JobHandle | None = None
        # A cancelled run may not have ended yet when the next one begins.
        self._one_at_a_time = Lock()
        self._reporting: _Reporting | None = None
        self._stopping = Event()
        self._stage, self._stage_began_ms = "", 0

    @property
    def runs(self) -> bool:
        return self._handle is not None

    def start(self) -> None:
        """Start the work unless it is running."""
        if self.runs:
            return
        self._stage = ""
        self._stopping.clear()
        self._show(0, 0, PREPARING)
        self._handle = self._runner.run_with_progress(
            self._name, self._do, done=self._finish, failed=self._fail, progress=self._report
        )

    def cancel(self) -> None:
        """Stop as soon as possible, and call no callback from now on."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def wait_out(self) -> None:
        """Block until a cancelled run has ended; not for the GUI thread."""
        with self._one_at_a_time:
            return

    def stop(self) -> None:
        """Ask the work to stop; `failed` gets `TaskStopped` unless the work has ended."""
        self._stopping.set()

    def _do(self, job: Job) -> T:
        with self._one_at_a_time:
            self._reporting = _Reporting(job, self._stopping)
            return self._work(self._reporting)

    def _finish(self, result: T) -> None:
        self._handle = None
        self._done(result)

    def _fail(self, error: Exception) -> None:
        self._handle = None
        self._failed(error)

    def _report(self, done: int, total: int) -> None:
        now = self._clock.monotonic_ms()
        stage = self._reporting.stage if self._reporting is not None else ""
        if stage != self._stage:
            self._stage, self._stage_began_ms = stage, now
        estimate = _estimate(done, total, spent_ms=now - self._stage_began_ms)
        self._show(done, total, " · ".join(filter(None, (stage, estimate))))


class _Reporting:
    """A `ProgressReporter` that forwards to a runner's job."""

    def __init__(self, job: Job, stopping: Event) -> None:
        self._job = job
        self._stopping = stopping
        self._done = 0
        self._total = 0
        self.stage = ""

    def start(self, what: str, total: int | None) -> None:
        self._check_stopped()
        self.stage = what
        self._done, self._total = 0, total or 0
        self._job.progress(0, self._total)

    def advance(self, steps: int = 1) -> None:
        self._check_stopped()
        before = self._part
        self._done += steps
        if self._part != before:
            self._job.progress(self._done, self._total)

    def _check_stopped(self) -> None:
        if self._job.cancelled:
            raise JobCancelled
        if self._stopping.is_set():
            raise TaskStopped(STOPPED)

    @property
    def _part(self) -> int:
        """The progress in coarse steps, so that thousands of images don't send as many messages."""
        return self._done * _REPORTED_STEPS // max(self._total, 1)


def _estimate(done: int, total: int, *, spent_ms: int) -> str:
    if not total or done / total < _REPORTED_SHARE:
        return ""
    return format_time_left(round(spent_ms * (total - done) / done))
