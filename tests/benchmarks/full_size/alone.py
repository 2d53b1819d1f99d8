"""Work done in a process of its own, with its time and the most memory that it held.

    python -m tests.benchmarks.full_size.alone MODULE FUNCTION ARGUMENT…

The function times what counts of its work and returns facts by name.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

Facts = dict[str, float]

_CHECKOUT = Path(__file__).parents[3]
_MEMORY = "megabytes"


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
    """How many `seconds` it takes, and for how many of them processors `worked`."""
    facts: Facts = {}
    started, worked = time.perf_counter(), time.process_time()
    yield facts
    facts |= {"seconds": time.perf_counter() - started, "worked": time.process_time() - worked}


def growth(whole: Facts, half: Facts, *, of: str) -> float:
    """How much more a single thing of the whole costs, by its work: others disturb that least."""
    return (whole["worked"] / whole[of]) / (half["worked"] / half[of])


def _peak_megabytes() -> float:
    # Unlike getrusage's, this peak isn't inherited from whoever started the process.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


if __name__ == "__main__":
    module, function, *given = sys.argv[1:]
    told: Facts = getattr(import_module(module), function)(*given)
    print(json.dumps({**told, _MEMORY: _peak_megabytes()}))
