"""Building 1,000 × 10 images from 200,000 candidates, next to hashing each of them once."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from labeler.app.curation.building import BuildRequest, build_dataset
from labeler.core.classes.taxonomy import load_default
from labeler.core.curation.entities import Strategy
from labeler.core.hash_order import hash_key
from labeler.core.study.exchange_format import CANDIDATES, DATASETS, SELECTION_FREQUENCIES
from labeler.store.exchange.importer import import_exchange
from tests.benchmarks.exchange import write_rows
from tests.benchmarks.table import Row
from tests.unit.store.conftest import made_study

_PER_CLASS, _REFERENCES, _ANSWERS = 200, 20, 10
_SECONDS = 60
REQUEST = BuildRequest(
    dataset="built",
    pool="pool",
    strategy=Strategy.MATCHED_FREQUENCY,
    seed=1,
    reference="original",
)


def bench_build() -> Row:
    """Time one build with all its reads and writes."""
    with tempfile.TemporaryDirectory() as place:
        write_pool(Path(place, "files"))
        with made_study(Path(place, "study")) as store:
            import_exchange(store, Path(place, "files"))
            started = time.perf_counter()
            _revision, preview = build_dataset(store, REQUEST)
            seconds = time.perf_counter() - started
    candidates = sum(each.candidates for each in preview.classes)
    bare = _hash_all(candidates)
    return Row(
        f"build of {len(preview.built.draws):,} × 10 from {candidates:,} candidates",
        f"{seconds:.1f} s, {len(preview.built.images):,} images",
        f"hashing the candidates {bare:.2f} s",
        bare / seconds,
        f"under {_SECONDS} s",
    )


def _hash_all(count: int) -> float:
    started = time.perf_counter()
    for number in range(count):
        hash_key(1, "built dataset", "n01440764", "pool", str(number))
    return time.perf_counter() - started


def write_pool(folder: Path, *, per_class: int = _PER_CLASS) -> None:
    """Write originals and candidates of every class with their frequencies."""
    folder.mkdir()
    write_rows(folder, DATASETS, _originals())
    write_rows(folder, CANDIDATES, _candidates(per_class))
    write_rows(folder, SELECTION_FREQUENCIES, _frequencies(per_class))


def _originals() -> Iterator[tuple[object, ...]]:
    for wnid in load_default().class_wnids:
        for number in range(_REFERENCES):
            yield "original", f"{wnid}/{number}.jpg", wnid, "", ""


def _candidates(per_class: int) -> Iterator[tuple[object, ...]]:
    for wnid in load_default().class_wnids:
        for number in range(per_class):
            name = f"{wnid}/{number}.jpg"
            yield "pool", name, wnid, "", "web", f"{wnid}-{number}", "", "2013-01-01", "", ""


def _frequencies(per_class: int) -> Iterator[tuple[object, ...]]:
    draw = Random(1)
    for dataset, count in (("original", _REFERENCES), ("pool", per_class)):
        for wnid in load_default().class_wnids:
            for number in range(count):
                selected = min(_ANSWERS, int(draw.betavariate(3, 1.3) * (_ANSWERS + 1)))
                yield dataset, f"{wnid}/{number}.jpg", wnid, selected, _ANSWERS
