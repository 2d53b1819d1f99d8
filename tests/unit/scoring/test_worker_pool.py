"""A pool of workers scores each image once, whatever happens to its processes."""

import multiprocessing
import os
import re
import select
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.models.scoring import ImageToScore, ModelSpec, ScoringChunk, ScoringSetup
from labeler.scoring.worker_pool import (
    DIFFERENT_MODELS,
    WORKER_DIED,
    WORKER_DIED_COMMAND,
    WORKER_KILLED,
    ScoringCancelled,
    WorkerPool,
)
from tests.stand_in_worker import BUSY, CRASH, LIBRARY_OUTPUT, REFUSAL, load_stand_in

MANY_POLLS = 150  # far more than needed, so that a pool that waits forever fails the test


def setup(model: str, batch_size: int | None = 16) -> ScoringSetup:
    spec = ModelSpec(model=model, name=model, batch_size=batch_size)
    return ScoringSetup(spec=spec, wnids=("n01440764",))


def chunks(count: int, size: int = 3, batch_size: int | None = None) -> list[ScoringChunk]:
    return [
        ScoringChunk(
            n,
            tuple(ImageToScore(n * size + i, f"{i}.jpg") for i in range(size)),
            apply_exif=False,
            batch_size=batch_size,
        )
        for n in range(count)
    ]


class Output:
    def __init__(self) -> None:
        self.notices: list[str] = []
        self.log: list[str] = []


def make_pool(model: str, output: Output | None = None, **changes: object) -> WorkerPool:
    output = output or Output()
    options = {
        "workers": 2,
        "notify": output.notices.append,
        "log": output.log.append,
        "cancelled": lambda: False,
        "load": load_stand_in,
        **changes,
    }
    return WorkerPool(setup(model), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [1, 2, None])
def test_each_image_is_scored_once(workers: int | None) -> None:
    with make_pool("scores", workers=workers) as pool:
        assert pool.facts().weights == "a stand-in"
        scored = list(pool.score(chunks(20)))
        again = list(pool.score(chunks(2)))
    assert sorted(o for s in scored for o in s.ordinals) == list(range(60))
    assert len(again) == 2


def test_no_chunks_give_no_results() -> None:
    with make_pool("scores") as pool:
        pool.facts()
        assert list(pool.score([])) == []


@pytest.mark.parametrize("batch_size", [None, 16])
def test_a_killed_worker_is_replaced_with_half_the_batch_size(batch_size: int | None) -> None:
    output = Output()
    with make_pool("dies", output) as pool:
        pool.facts()
        scored = list(pool.score(chunks(12, batch_size=batch_size)))
    assert sorted(o for s in scored for o in s.ordinals) == list(range(36))
    assert WORKER_KILLED.format(size=4) in output.notices
    assert WORKER_KILLED.format(size=2) not in output.notices


def test_the_last_chunks_go_to_idle_workers(tmp_path: Path) -> None:
    file = tmp_path / "awaited.jpg"
    waiting = [ScoringChunk(n, (ImageToScore(n, str(file)),), False) for n in range(3)]
    polls = count()
    scored: list[int] = []
    with make_pool("waits", cancelled=lambda: next(polls) > MANY_POLLS) as pool:
        pool.facts()
        for chunk in pool.score(waiting):
            scored.append(chunk.number)
            if len(scored) == 2:
                file.touch()  # the first worker is still waiting in its only chunk
    assert sorted(scored) == [0, 1, 2]
    assert scored[-1] == 0


def score_all(model: str, output: Output | None = None, **changes: object) -> None:
    with make_pool(model, output, **changes) as pool:
        pool.facts()
        list(pool.score(chunks(4)))


def test_a_crash_is_reported_with_its_last_output_and_advice() -> None:
    output = Output()
    with pytest.raises(EnvironmentFault) as raised:
        score_all("crashes", output)
    assert str(raised.value) == WORKER_DIED.format(reason=CRASH)
    assert raised.value.by_command == WORKER_DIED_COMMAND
    assert LIBRARY_OUTPUT in output.log


def test_a_refusal_keeps_its_message() -> None:
    with pytest.raises(RefusedError, match=REFUSAL):
        score_all("refuses")


def test_workers_with_different_weights_are_refused() -> None:
    with pytest.raises(EnvironmentFault, match=re.escape(DIFFERENT_MODELS)):
        score_all("differs")


def test_cancelling_ends_busy_workers() -> None:
    lines: list[str] = []
    with pytest.raises(ScoringCancelled):
        score_all("hangs", cancelled=lambda: BUSY in lines, log=lines.append)
    assert not multiprocessing.active_children()


SCORE_FOREVER = """
from multiprocessing import active_children
from tests.unit.scoring.test_worker_pool import chunks, make_pool

def show_line(line):
    print(line, *(worker.pid for worker in active_children()), sep="|", flush=True)

with make_pool("hangs", workers=1, log=show_line) as pool:
    pool.facts()
    list(pool.score(chunks(1)))
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux can wait for any process")
def test_workers_exit_when_the_program_is_killed() -> None:
    command = [sys.executable, "-c", SCORE_FOREVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        busy = next(line for line in program.stdout if line.startswith(BUSY))
        worker = os.pidfd_open(int(busy.split("|")[1]))
        program.kill()
    exited, _, _ = select.select([worker], [], [], 60)
    os.close(worker)
    assert exited
