"""How a person comes to a study without the command line: the demo, or a study of their own."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock

import platformdirs

from labeler.app.presenters.start import NewStudy
from labeler.app.runner import Cancelled, Job, Runner, Ticket
from labeler.app.spoken_time import left
from labeler.core.clock import Clock
from labeler.core.errors import Refused
from labeler.core.study import Role

# Before that much is done, an estimate is worse than none.
_TELLING_PART = 0.03
_TOLD_PARTS = 200

ShowProgress = Callable[[int, int, str], None]


def demo_folder() -> Path:
    """Where the window puts the demo."""
    return Path(platformdirs.user_data_dir("labeler", appauthor=False)) / "demo"


def new_study_with_lead(wanted: NewStudy, *, clock: Clock) -> Path:
    """Make an empty study with its lead, who alone can sign in until others are added."""
    # Whoever imports this for the window mustn't wait for the database's modules.
    from labeler.app.people import add_person
    from labeler.app.studies import new_study
    from labeler.app.study_settings import set_lead_passphrase
    from labeler.core.codes import is_code

    if not is_code(wanted.lead_code):  # before anything is on disk
        raise Refused(f"'{wanted.lead_code}' can't be a participant's code.")
    with new_study(wanted.folder, clock=clock, name=wanted.name.strip()) as store:
        add_person(store, wanted.lead_code, roles=[Role.LEAD])
        if wanted.passphrase:
            set_lead_passphrase(store, wanted.passphrase)
    return wanted.folder


def make_demo(folder: Path, *, clock: Clock, job: Job, told: "Stages") -> Path:
    """Build the demo, or finish one that was interrupted; a finished one is only looked at."""
    from labeler.app.demo import build_demo

    build_demo(folder, clock=clock, progress=_Reporting(job, told)).close()
    return folder


class Stages:
    """The name of the work's present stage: written by the worker, read by the window."""

    def __init__(self) -> None:
        self.now = "Preparing"


class _Reporting:
    """A `Progress` that a window watches, and through which it can stop the work."""

    def __init__(self, job: Job, told: Stages) -> None:
        self._job = job
        self._told = told
        self._done = 0
        self._total = 0

    def start(self, what: str, total: int | None) -> None:
        self._told.now = what
        self._done, self._total = 0, total or 0
        self._job.progress(0, self._total)

    def advance(self, steps: int = 1) -> None:
        if self._job.cancelled:
            raise Cancelled
        before, self._done = self._part(), self._done + steps
        if self._part() != before:
            self._job.progress(self._done, self._total)

    def _part(self) -> int:
        """How far the work is in coarse steps: thousands of pictures need fewer messages."""
        return self._done * _TOLD_PARTS // max(self._total, 1)


class DemoBuild:
    """Builds the demo off the GUI thread and says how far it is."""

    def __init__(
        self,
        *,
        runner: Runner,
        clock: Clock,
        folder: Path,
        show: ShowProgress,
        done: Callable[[Path], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._runner = runner
        self._clock = clock
        self._folder = folder
        self._show = show
        self._done = done
        self._failed = failed
        self._ticket: Ticket | None = None
        # One that was cancelled may still be on its way out when the next begins.
        self._one_at_a_time = Lock()
        self._told = Stages()
        self._stage, self._stage_began_ms = "", 0

    @property
    def runs(self) -> bool:
        return self._ticket is not None

    def start(self) -> None:
        """Begin, unless it runs already."""
        if self.runs:
            return
        self._show(0, 0, "Preparing the demo")
        self._ticket = self._runner.submit(
            self._make,
            done=self._finish,
            failed=self._fail,
            progress=self._report,
        )

    def cancel(self) -> None:
        """Stop as soon as may be; what was made is kept for the next time."""
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None

    def _make(self, job: Job) -> Path:
        with self._one_at_a_time:
            return make_demo(self._folder, clock=self._clock, job=job, told=self._told)

    def _finish(self, folder: Path) -> None:
        self._ticket = None
        self._done(folder)

    def _fail(self, error: Exception) -> None:
        self._ticket = None
        self._failed(error)

    def _report(self, done: int, total: int) -> None:
        now = self._clock.monotonic_ms()
        if self._told.now != self._stage:
            self._stage, self._stage_began_ms = self._told.now, now
        estimate = _estimate(done, total, spent_ms=now - self._stage_began_ms)
        self._show(done, total, " · ".join(filter(None, (self._stage, estimate))))


def _estimate(done: int, total: int, *, spent_ms: int) -> str:
    if not total or done / total < _TELLING_PART:
        return ""
    return left(round(spent_ms * (total - done) / done))
