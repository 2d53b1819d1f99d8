"""Searching the classes, a keystroke at a time, against a bare scan of the same names."""

import csv
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from rapidfuzz import fuzz, process

from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.ui.window.gc_policy import collect_everything_again, exempt_loaded_objects
from labeler.wordnet.taxonomy_builder import build_taxonomy, read_wnids
from tests.benchmarks.table import Row

_QUERIES = Path(__file__).parents[1] / "data" / "search-queries.csv"

_WORDNET = Path("/usr/share/wordnet")
# So many keystrokes take minutes at this size; every fifth is enough for a 99th percentile.
_EVERY = 5


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


def bench_keystrokes_of_many_classes() -> list[Row]:
    """The same keystrokes among ImageNet's 21,841 classes, and building the index of them."""
    taxonomy = taxonomy_of_many_classes()
    start = time.perf_counter()
    search = ClassSearch(taxonomy)
    search.search("a")
    built = time.perf_counter() - start
    names = [", ".join(taxonomy[wnid].lemmas) for wnid in taxonomy.class_wnids]
    typed = list(keystrokes())[::_EVERY]
    # As the window does once the classes are listed.
    exempt_loaded_objects()
    ours = [_timed(lambda text=text: search.search(text)) for text in typed]
    collect_everything_again()
    some = typed[::20]
    bare = [
        _timed(lambda text=text: process.extract(text, names, scorer=fuzz.WRatio, limit=50))
        for text in some
    ]
    median, tail = statistics.median(ours), statistics.quantiles(ours, n=100)[98]
    plain = statistics.median(bare)
    count = f"{len(taxonomy.class_wnids):,} classes"
    scan = f"rapidfuzz WRatio over the names {plain * 1e3:.0f} ms"
    return [
        Row(
            f"search per keystroke, {count}",
            f"{median * 1e3:.1f} ms median, {tail * 1e3:.0f} ms p99, "
            f"{max(ours) * 1e3:.0f} ms longest",
            scan,
            median / plain,
            "p99 ≤ 30 ms",
        ),
        Row(f"search index of {count}", f"{built:.2f} s", scan, built / plain, "≤ 1.5 s"),
    ]


def taxonomy_of_many_classes() -> Taxonomy:
    """Return the taxonomy of ImageNet-21k, from the machine's WordNet."""
    return build_taxonomy(_WORDNET, read_wnids(_many_classes()))


def _many_classes() -> Path:
    """Return timm's list of the classes of ImageNet-21k."""
    import timm

    return Path(timm.__file__).parent / "data" / "_info" / "imagenet22k_synsets.txt"
