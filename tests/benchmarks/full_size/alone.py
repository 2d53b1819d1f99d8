"""Work done in a process of its own, with its time and the most memory that it held.

    python -m tests.benchmarks.full_size.alone MODULE FUNCTION ARGUMENT…

The function times what counts of its work and returns facts by name.
"""

import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

Facts = dict[str, float]

_CHECKOUT = Path(__file__).parents[3]
_MEMORY = "megabytes"
_PIECES, _LINES = 9, 20_000


def alone(work: Callable[..., Facts], *arguments: object) -> Facts:
    """What the function tells, and the peak of its process's memory as `megabytes`."""
    command = [sys.executable, "-m", __name__, work.__module__, work.__name__]
    done = subprocess.run(
        [*command, *map(str, arguments)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_CHECKOUT,
    )
    facts: Facts = json.loads(done.stdout.splitlines()[-1])
    return facts


@contextmanager
def timed() -> Iterator[Facts]:
    """How many `seconds` it takes, and for how many of them processors `worked`.

    `pace` is what plain computing took before and after it.
    """
    facts: Facts = {}
    before = pace()
    started, worked = time.perf_counter(), time.process_time()
    yield facts
    facts |= {"seconds": time.perf_counter() - started, "worked": time.process_time() - worked}
    facts["pace"] = (before + pace()) / 2


def pace() -> float:
    """Seconds of a processor that the same plain computing takes now, the median of several."""
    return statistics.median(_plain_computing() for _ in range(_PIECES))


def growth(whole: Facts, half: Facts, *, of: str) -> float:
    """How much more a single thing of the whole costs, by its work: others disturb that least.

    A processor that is shared with others gets slower and faster by the minute, which the pace
    shows and is taken out.
    """
    return _work(whole, of) / _work(half, of)


def least(runs: Iterable[Facts]) -> Facts:
    """The run of the least work: whatever else happens on the machine can only add to it."""
    return min(runs, key=lambda facts: facts["worked"] / facts["pace"])


def _work(facts: Facts, of: str) -> float:
    return facts["worked"] / facts["pace"] / facts[of]


def _plain_computing() -> float:
    started = time.thread_time()
    lines = [f"{number},n{number:08d},correct,initial" for number in range(_LINES)]
    counts = Counter(field for line in lines for field in line.split(","))
    assert counts["initial"] == _LINES
    return time.thread_time() - started


def _peak_megabytes() -> float:
    # Unlike getrusage's, this peak isn't inherited from anyone who started the process.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


if __name__ == "__main__":
    module, function, *given = sys.argv[1:]
    told: Facts = getattr(import_module(module), function)(*given)
    print(json.dumps({**told, _MEMORY: _peak_megabytes()}))
