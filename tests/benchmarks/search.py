"""Searching the classes, a keystroke at a time, against a bare scan of the same names."""

import csv
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from rapidfuzz import fuzz, process

from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import load_default
from tests.benchmarks.table import Row

_QUERIES = Path(__file__).parents[1] / "data" / "search-queries.csv"


def bench_keystrokes() -> Row:
    """Every prefix of every query of the tests' list: what typing them costs."""
    taxonomy = load_default()
    search = ClassSearch(taxonomy)
    names = [", ".join(taxonomy[wnid].lemmas) for wnid in taxonomy.class_wnids]
    typed = list(keystrokes())
    ours = [_timed(lambda text=text: search.search(text)) for text in typed]
    bare = [
        _timed(lambda text=text: process.extract(text, names, scorer=fuzz.WRatio, limit=50))
        for text in typed[::5]
    ]
    median, tail = statistics.median(ours), statistics.quantiles(ours, n=100)[98]
    plain = statistics.median(bare)
    return Row(
        "search per keystroke",
        f"{median * 1e3:.2f} ms median, {tail * 1e3:.1f} ms p99",
        f"rapidfuzz WRatio over the names {plain * 1e3:.2f} ms",
        median / plain,
        "printed",
    )


def keystrokes() -> Iterator[str]:
    with _QUERIES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            query = row["query"]
            yield from (query[:length] for length in range(1, len(query) + 1))


def _timed(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start
