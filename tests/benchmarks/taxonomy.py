"""Loading the frozen taxonomy against importing NLTK and opening its reader."""

import subprocess
import sys
import time
from pathlib import Path

from labeler.core.classes import taxonomy as taxonomies
from tests.benchmarks.table import Row

_WORDNET = Path("/usr/share/wordnet")
_OPEN_READER = """
import time
start = time.perf_counter()
from pathlib import Path
from labeler.wordnet.database import open_wordnet
with open_wordnet(Path({folder!r})):
    print(time.perf_counter() - start)
"""


def bench_load() -> Row:
    """The fastest of many loads against the fastest of three fresh processes with NLTK."""
    ours = min(_load() for _ in range(50))
    if not _WORDNET.is_dir():
        lacking = "WordNet is not installed"
        return Row("taxonomy load", f"{ours * 1e3:.1f} ms", lacking, 0.0, "≥ 500×")
    bare = min(_open_reader() for _ in range(3))
    ratio = bare / ours
    return Row("taxonomy load", f"{ours * 1e3:.1f} ms", f"NLTK {bare:.1f} s", ratio, "≥ 500×")


def _load() -> float:
    start = time.perf_counter()
    taxonomies.load(taxonomies.DEFAULT_FILE)
    return time.perf_counter() - start


def _open_reader() -> float:
    code = _OPEN_READER.format(folder=str(_WORDNET))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(run.stdout)
