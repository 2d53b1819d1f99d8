"""The start of the program until the first trial is painted, against an empty window.

Each in processes of their own, by turns, with byte code cached as on anyone's machine.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.demo_study import CODE, demo_copy, labelers_home
from tests.benchmarks.table import Row
from tests.e2e.first_answer import answer_first

_CHECKOUT = Path(__file__).parents[2]
_RUNS = 9
EMPTY = "-m", "tests.benchmarks.empty_window"


def bench_start() -> Row:
    """`labeler STUDY --as A` by someone who has answered before."""
    with tempfile.TemporaryDirectory() as place:
        study = demo_copy(Path(place))
        answer_first(study, CODE)
        environment = with_byte_code(labelers_home(Path(place, "home"), study), place)
        ours = "-m", "tests.e2e.first_trial", str(study), CODE
        commands = (ours, EMPTY)
        for command in commands:
            until_told(command, environment)
        runs = [[until_told(each, environment) for each in commands] for _ in range(_RUNS)]
    trial, window = map(statistics.median, zip(*runs, strict=True))
    return Row(
        "start to the first trial painted",
        f"{trial * 1e3:.0f} ms median",
        f"empty window {window * 1e3:.0f} ms",
        trial / window,
        "≤ 5×",
    )


def with_byte_code(environment: dict[str, str], place: str) -> dict[str, str]:
    kept = {k: v for k, v in environment.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(Path(place, "byte-code"))}


def until_told(command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Seconds from the start of a process to its first line; it ends by itself."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=_CHECKOUT,
        env=environment,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    passed = time.perf_counter() - start
    process.communicate(timeout=60)
    assert line, f"{command} told nothing"
    assert process.returncode == 0
    return passed
