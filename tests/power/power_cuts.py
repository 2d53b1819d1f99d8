"""Lets the real program work on a recorded disk, and cuts the power at many moments of it.

A session is recorded once. A cut is then made after any of its operations: the disk is rebuilt as
the cut would have left it, and everything acknowledged before must be on it. The last cut of a
round is the one with which the next round starts, so that the program also comes back from it.
"""

import copy
import random
import shutil
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.e2e.accounting import Account
from tests.e2e.driven_hands import MARKS_VARIABLE
from tests.e2e.driven_process import CODE, DrivenProcess, Event
from tests.e2e.killing import written_by_another
from tests.e2e.review_killing import REVIEWER, ReviewAccount, check_times
from tests.e2e.study_on_disk import read_study
from tests.power.cut_disk import CutDisk
from tests.power.mutants import Mutant
from tests.power.operations import Operation
from tests.power.recorded_disk import recorded

STUDY = "study"
# One round in so many meets a study that another program writes to: its answers go to the journal.
BUSY_ROUNDS = 4


class CutAccount(Protocol):
    """Hears what was done, and compares it with the disk that a cut left."""

    def hear(self, event: Event) -> None: ...
    def cut(self, study: Path) -> None: ...
    @property
    def acknowledged(self) -> int: ...


class LabelerAccount(Account):
    """A labeler's answers; one that the window calls safe in a journal counts as acknowledged."""

    _safe_in_journal = False

    def hear(self, event: Event) -> None:
        super().hear(event)
        self._safe_in_journal = event["event"] == "delayed"

    def cut(self, study: Path) -> None:
        waits = self._safe_in_journal
        self.killed(read_study(study, code=CODE))
        assert not waits or self._submitted[-1].stored, "an answer safe in the journal is lost"

    @property
    def acknowledged(self) -> int:
        return self.tally.acknowledged


class ReviewerAccount(ReviewAccount):
    """A reviewer's acts; those whose storing failed are safe in a journal, and count too."""

    def hear(self, event: Event) -> None:
        super().hear(event)
        if event["event"] == "delayed":
            self._acknowledged = len(self._acts)

    def cut(self, study: Path) -> None:
        self.killed(study)
        check_times(study)

    @property
    def acknowledged(self) -> int:
        return self.tally.acknowledged + self._acknowledged


@dataclass(frozen=True)
class Role:
    """Who works: the driver of the program, and how their work is accounted for."""

    driver: str
    arguments: Callable[[int], tuple[object, ...]]
    account: Callable[[], CutAccount]
    ready: str


_NEVER_REST = 0
LABELER = Role(
    "tests.e2e.driven_labeler", lambda seed: (CODE, seed, _NEVER_REST), LabelerAccount, "shown"
)
REVIEW = Role("tests.e2e.driven_reviewer", lambda seed: (REVIEWER, seed), ReviewerAccount, "seated")


@dataclass
class Session:
    """One recorded session: what the disk saw, and what the person was shown."""

    operations: list[Operation]
    events: list[Event]
    # The position in `operations` of each event's mark.
    marks: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.marks = [n for n, each in enumerate(self.operations) if each.kind == "mark"]
        self.events = self.events[: len(self.marks)]

    def events_before(self, position: int) -> list[Event]:
        return self.events[: bisect_right(self.marks, position)]

    def draw_positions(self, draw: random.Random, number: int) -> list[int]:
        """Half of the cuts right after something was acknowledged, the others anywhere."""
        acknowledged = [
            mark
            for mark, event in zip(self.marks, self.events, strict=True)
            if event["event"] in ("acknowledged", "delayed")
        ]
        first = self.marks[0]
        return sorted(
            draw.choice(acknowledged)
            if acknowledged and draw.random() < 0.5
            else draw.randrange(first, len(self.operations))
            for _cut in range(number)
        )


@dataclass
class PowerTally:
    """What a run came to."""

    cuts: int = 0
    rounds: int = 0
    checked: int = 0  # acknowledged decisions that were looked for, over all cuts
    acknowledged: int = 0


class PowerCuts:
    """Cuts the power again and again while one person works on one study."""

    def __init__(
        self,
        study: Path,
        home: Path,
        work: Path,
        role: Role,
        *,
        seed: int,
        mutant: Mutant = Mutant.NONE,
    ) -> None:
        """`work` is an empty folder on this disk; the study is moved into it."""
        self._home, self._work, self._role, self._mutant = home, work, role, mutant
        self._draw = random.Random(seed)
        self._account = role.account()
        self._backing = work / "disk-0"
        self._backing.mkdir()
        shutil.move(study, self._backing / STUDY)
        self.tally = PowerTally()

    def run(
        self,
        rounds: int,
        *,
        cuts: int,
        busy_rounds: int = BUSY_ROUNDS,
        report: Callable[[str], None] = print,
    ) -> PowerTally:
        """Record so many sessions, and cut the power so many times in each."""
        for number in range(1, rounds + 1):
            busy = number % busy_rounds == 0
            session = self._record(busy=busy)
            self._cut(session, number, cuts)
            report(f"round {number}{', the study busy' if busy else ''}: {self.tally}")
        return self.tally

    def run_with_fault(self, number: int, *, acts: int) -> bool:
        """Fail one write or sync, and see that all that was acknowledged is on the disk.

        Return whether the session got as far as that write or sync.
        """
        events: list[Event] = []
        mounted = recorded(self._backing, self._work / "mount", self._work / "log", failing=number)
        with mounted as disk, self._started(disk.mount / STUDY, events) as person:
            person.hear(self._role.ready)
            for _act in range(acts):
                person.hear("acknowledged")
            person.kill()
        for event in events:
            self._account.hear(event)
        copied = shutil.copytree(self._backing, self._work / f"fault-{number}")
        self._account.cut(copied / STUDY)
        self.tally.acknowledged = self._account.acknowledged
        return any(operation.kind == "failure" for operation in disk.operations())

    def _record(self, *, busy: bool) -> Session:
        events: list[Event] = []
        log = self._work / "log"
        with recorded(self._backing, self._work / "mount", log) as disk:
            study = disk.mount / STUDY
            with self._started(study, events) as person:
                person.hear(self._role.ready)
                for _act in range(self._draw.randint(2, 6)):
                    person.hear("acknowledged")
                with written_by_another(study) if busy else nullcontext():
                    if busy:
                        person.hear("delayed")
                    person.kill()
        return Session(disk.operations(), events)

    @contextmanager
    def _started(self, study: Path, events: list[Event]) -> Iterator[DrivenProcess]:
        arguments = self._role.arguments(self._draw.randrange(1_000_000))
        person = DrivenProcess(
            self._home,
            events.append,
            "tests.power.mutants",
            self._mutant,
            self._role.driver,
            study,
            *arguments,
            variables={MARKS_VARIABLE: str(study)},
        )
        with closing(person):
            yield person

    def _cut(self, session: Session, number: int, cuts: int) -> None:
        """Look at the disk after each cut; the last one is where the next round starts."""
        disk, done = CutDisk(), 0
        positions = session.draw_positions(self._draw, cuts)
        last = self._draw.choice(positions)
        following: CutAccount | None = None
        for position in positions:
            for operation in session.operations[done : position + 1]:
                disk.apply(operation)
            done = position + 1
            seed = self._draw.randrange(1_000_000)
            account = self._look(disk, seed, session.events_before(position))
            if position == last and following is None:
                following = account
                self._backing = self._materialized(disk, f"disk-{number}", seed)
        assert following is not None
        self._account = following
        self.tally.rounds += 1
        self.tally.acknowledged = following.acknowledged

    def _look(self, disk: CutDisk, seed: int, events: list[Event]) -> CutAccount:
        """Account for everything that was acknowledged before the cut."""
        account = copy.deepcopy(self._account)
        for event in events:
            account.hear(event)
        self.tally.checked += account.acknowledged
        folder = self._materialized(disk, "cut", seed)
        account.cut(folder / STUDY)
        shutil.rmtree(folder)
        self.tally.cuts += 1
        return account

    def _materialized(self, disk: CutDisk, name: str, seed: int) -> Path:
        folder = self._work / name
        disk.materialize(folder, random.Random(seed))
        return folder
