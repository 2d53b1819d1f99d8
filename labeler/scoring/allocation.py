"""How a scoring process is started so that its memory and its threads don't hold it up.

With glibc's defaults every large buffer is mapped anew and given back, and a quarter of the time
goes into page faults. One thread a process, since a process a core is the better way to use cores.
"""

from collections.abc import Mapping

_MEGABYTE = 2**20

MALLOC_SETTINGS: Mapping[str, str] = {
    "MALLOC_MMAP_THRESHOLD_": str(1024 * _MEGABYTE),
    "MALLOC_TRIM_THRESHOLD_": str(4096 * _MEGABYTE - 1),
    "MALLOC_TOP_PAD_": str(64 * _MEGABYTE),
}


def worker_environment(inherited: Mapping[str, str], *, threads: int) -> dict[str, str]:
    """The environment of a scoring process; what the user has set stays."""
    numbers = {"OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
    return {**MALLOC_SETTINGS, **numbers, **inherited, "PYTHONUNBUFFERED": "1"}
