"""Killed at any moment, a reviewer's program loses no verdict that it has acknowledged."""

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from labeler.app.phases import open_phase
from labeler.app.review.planning import PlanWish, plan_review
from labeler.core.clock import SystemClock
from labeler.core.phases import Phase
from labeler.core.study import Stage
from labeler.store.opening import open_study
from tests.proposals import propose
from tests.unit.store.conftest import made_study

_ROUNDS = 4
_IMAGES = 200
# Judges whatever waits, as fast as it can, and says what was stored when it was.
_REVIEWER = """
import sys
from pathlib import Path
from labeler.app.review.desk import ReviewDesk
from labeler.core.blind_review import CommittedVerdict, OwnVerdict
from labeler.core.clock import SystemClock, stamp
from labeler.core.study import Stage, Verdict
from labeler.store.opening import open_study

clock = SystemClock()
with open_study(Path(sys.argv[1]), clock=clock) as store:
    desk = ReviewDesk(store, "R", Stage.INITIAL)
    begun = desk.begin()
    for visit in begun.visits:
        for label in visit.labels:
            if label.own is None:
                desk.commit([CommittedVerdict(
                    visit_id=visit.visit_id, label=label.wnid, own=OwnVerdict(Verdict.CORRECT),
                    at=stamp(clock.utc()), active_ms=1, session_id=begun.session_id,
                )])
                print(visit.visit_id, label.wnid, flush=True)
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    targets = {f"{number}.jpg": "n01440764" for number in range(_IMAGES)}
    models = {"m": dict.fromkeys(targets, "n02504458")}
    path = tmp_path / "study"
    with made_study(path) as store:
        propose(
            store, tmp_path / "csv", targets=targets, models=models, humans={}, reviewers=("R",)
        )
        plan_review(store, PlanWish(stage=Stage.INITIAL))
        open_phase(store, Phase.ANNOTATE)
    return path


def acknowledged_before_the_kill(study: Path, *, after: int) -> Iterator[tuple[str, str]]:
    """Let the reviewer work, kill them after so many verdicts, and tell those they were told."""
    command = [sys.executable, "-c", _REVIEWER, str(study)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reviewer:
        assert reviewer.stdout is not None
        for number, line in enumerate(reviewer.stdout):
            if number == after:
                reviewer.send_signal(signal.SIGKILL)
            if line.endswith("\n"):
                visit, wnid = line.split()
                yield visit, wnid


def test_every_acknowledged_verdict_survives_every_kill(study: Path) -> None:
    seed = random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}")  # shown when the test fails
    draw = random.Random(seed)
    acknowledged: set[tuple[str, str]] = set()
    for _round in range(_ROUNDS):
        told = list(acknowledged_before_the_kill(study, after=draw.randrange(2, 30)))
        assert not acknowledged & set(told), "nothing that is stored is asked again"
        acknowledged |= set(told)
    with open_study(study, clock=SystemClock()) as store, store.read() as read:
        stored = {
            (visit.visit_id, label.wnid)
            for visit in read.review.reviewing.visits("R", Stage.INITIAL)
            for label in visit.labels
            if label.own is not None
        }
    assert acknowledged <= stored
    # At most one verdict a kill was stored and not yet acknowledged.
    assert len(stored) <= len(acknowledged) + _ROUNDS
