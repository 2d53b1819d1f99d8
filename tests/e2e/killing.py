"""Lets a hasty labeler work in the real program, kills it, and accounts for every answer."""

import random
import resource
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from labeler.store.study.folder import StudyFolder
from tests.e2e.accounting import Account, Tally
from tests.e2e.driven_process import CODE, DrivenProcess, Event
from tests.e2e.study_on_disk import read_drafts, read_study

_NEVER = 0
_PATIENCE_S = 60
# The journal's few lines fit, a commit of several pages doesn't.
_ALMOST_FULL, _FULL = 8192, 0


class Moment(Enum):
    """When the program is killed."""

    ANYWHERE = "anywhere"
    STARTING = "starting"
    HALF_DONE = "half done"  # the draft is on disk
    SUBMITTING = "submitting"  # the draft is on disk, the answer perhaps
    STUDY_BUSY = "study busy"  # the answer waits, since another program writes
    STUDY_WAS_BUSY = "study was busy"
    DISK_FULL = "disk full"  # the answer waits, since the database can't grow
    DISK_WAS_FULL = "disk was full"
    DISK_WAS_FULL_FOR_ALL = "disk was full for all"  # the answer was on the screen alone


@dataclass(frozen=True, slots=True)
class Plan:
    """One round: how many answers come first, and how long the kill then waits."""

    moment: Moment
    answers: int
    seed: int
    wait_s: float


class Killing:
    """Kills one labeler's program again and again, on one study."""

    def __init__(self, study: Path, home: Path, *, seed: int) -> None:
        self._study, self._home = study, home
        self._draw = random.Random(seed)
        self._account = Account()

    def run(self, moments: Sequence[Moment], report: Callable[[str], None] = print) -> Tally:
        """Kill the program once for each moment, then let it come back a last time."""
        for number, moment in enumerate(moments, start=1):
            plan = self._planned(moment)
            report(f"round {number}: {plan}")
            self._round(plan)
            self._account.killed(read_study(self._study, code=CODE))
        self._come_back()
        return self._account.tally

    def _planned(self, moment: Moment) -> Plan:
        longest_s = {Moment.SUBMITTING: 0.006, Moment.STARTING: 3.0}.get(moment, 0.3)
        return Plan(
            moment=moment,
            answers=self._draw.randint(0, 4),
            seed=self._draw.randrange(1_000_000),
            wait_s=self._draw.uniform(0, longest_s),
        )

    def _round(self, plan: Plan) -> None:
        rests = plan.moment in (Moment.HALF_DONE, Moment.SUBMITTING)
        with self._started(plan.seed, dwell=plan.answers + 1 if rests else _NEVER) as labeler:
            if plan.moment is not Moment.STARTING:
                self._sit_down(labeler)
            with _REACHING[plan.moment](labeler, self._study, plan):
                labeler.kill()

    def _come_back(self) -> None:
        """Start a last time, see what was left, and that no answer waits anywhere."""
        with self._started(seed=0, dwell=1) as labeler:
            self._sit_down(labeler)
            labeler.hear("dwelling")
            labeler.kill()
        self._account.ended(read_study(self._study, code=CODE))

    @contextmanager
    def _started(self, seed: int, *, dwell: int) -> Iterator[DrivenProcess]:
        module = "tests.e2e.driven_labeler"
        labeler = DrivenProcess(
            self._home, self._account.hear, module, self._study, CODE, seed, dwell
        )
        with closing(labeler):
            yield labeler

    def _sit_down(self, labeler: DrivenProcess) -> None:
        started = time.monotonic()
        labeler.hear("shown")
        self._account.tally.restarts_s.append(time.monotonic() - started)


# How each moment is reached: the kill happens inside.


@contextmanager
def _anywhere(labeler: DrivenProcess, _study: Path, plan: Plan) -> Iterator[None]:
    _answer(labeler, plan)
    labeler.hear_for(plan.wait_s)
    yield


@contextmanager
def _starting(labeler: DrivenProcess, _study: Path, plan: Plan) -> Iterator[None]:
    labeler.hear_for(plan.wait_s)
    yield


@contextmanager
def _half_done(labeler: DrivenProcess, study: Path, _plan: Plan) -> Iterator[None]:
    _wait_for_draft(study, labeler.hear("dwelling"))
    yield


@contextmanager
def _submitting(labeler: DrivenProcess, study: Path, plan: Plan) -> Iterator[None]:
    _wait_for_draft(study, labeler.hear("dwelling"))
    labeler.go_on()
    labeler.hear("submitting")
    # A few milliseconds, in which the commit happens.
    time.sleep(plan.wait_s)
    yield


@contextmanager
def _study_busy(labeler: DrivenProcess, study: Path, plan: Plan) -> Iterator[None]:
    _answer(labeler, plan)
    with written_by_another(study):
        _wait_for_journal(labeler, study)
        yield


@contextmanager
def _study_was_busy(labeler: DrivenProcess, study: Path, plan: Plan) -> Iterator[None]:
    with _study_busy(labeler, study, plan):
        pass
    _go_on(labeler, plan)
    yield


@contextmanager
def _disk_full(labeler: DrivenProcess, study: Path, plan: Plan) -> Iterator[None]:
    _answer(labeler, plan)
    with _no_growth(labeler, beyond=_ALMOST_FULL):
        _wait_for_journal(labeler, study)
        yield


@contextmanager
def _disk_was_full(labeler: DrivenProcess, study: Path, plan: Plan) -> Iterator[None]:
    with _disk_full(labeler, study, plan):
        pass
    _go_on(labeler, plan)
    yield


@contextmanager
def _disk_was_full_for_all(labeler: DrivenProcess, study: Path, plan: Plan) -> Iterator[None]:
    _answer(labeler, plan)
    with _no_growth(labeler, beyond=_FULL):
        labeler.hear("delayed")
        assert not read_study(study, code=CODE).journaled
    _go_on(labeler, plan)
    yield


Reaching = Callable[[DrivenProcess, Path, Plan], AbstractContextManager[None]]
_REACHING: dict[Moment, Reaching] = {
    Moment.ANYWHERE: _anywhere,
    Moment.STARTING: _starting,
    Moment.HALF_DONE: _half_done,
    Moment.SUBMITTING: _submitting,
    Moment.STUDY_BUSY: _study_busy,
    Moment.STUDY_WAS_BUSY: _study_was_busy,
    Moment.DISK_FULL: _disk_full,
    Moment.DISK_WAS_FULL: _disk_was_full,
    Moment.DISK_WAS_FULL_FOR_ALL: _disk_was_full_for_all,
}
assert set(_REACHING) == set(Moment)


def _answer(labeler: DrivenProcess, plan: Plan) -> None:
    for _answered in range(plan.answers):
        labeler.hear("acknowledged")


def _go_on(labeler: DrivenProcess, plan: Plan) -> None:
    """What delayed the answer is over: it arrives, and work goes on."""
    labeler.hear("acknowledged")
    labeler.hear_for(plan.wait_s)


def _wait_for_draft(study: Path, resting: Event) -> None:
    """Wait until everything that is half done is on disk, with its time."""
    wanted = resting["label"], resting["alternative"], resting["note"]
    end = time.monotonic() + _PATIENCE_S
    kept = None
    while kept is None or (kept.label, kept.alternative, kept.note) != wanted:
        assert time.monotonic() < end, f"{wanted} isn't kept, but {kept}"
        kept = read_drafts(study).get(resting["trial"])
    assert kept.active_ms > 0


def _wait_for_journal(labeler: DrivenProcess, study: Path) -> None:
    """The study can't take the answer: the screen says so, and the journal has it."""
    delayed = labeler.hear("delayed")
    assert "safe in a journal" in delayed["sentence"], delayed
    disk = read_study(study, code=CODE)
    assert [answer.trial_id for answer in disk.journaled] == [delayed["trial"]]


@contextmanager
def written_by_another(study: Path) -> Iterator[None]:
    """Another program holds the study's database to write in it."""
    database = StudyFolder(study).database
    with closing(sqlite3.connect(database, timeout=_PATIENCE_S, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


@contextmanager
def _no_growth(labeler: DrivenProcess, *, beyond: int) -> Iterator[None]:
    """No file of the program can grow beyond so many bytes, as if the disk were full."""
    kind = resource.RLIMIT_FSIZE
    before = resource.prlimit(labeler.pid, kind)
    resource.prlimit(labeler.pid, kind, (beyond, before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(labeler.pid, kind, before)
