"""A validation set of 50,000 files imported, against reading and hashing the same files."""

import hashlib
from functools import cache
from pathlib import Path

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportReport
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study
from tests.benchmarks.full_size.alone import Facts, alone, growth, least, timed
from tests.benchmarks.full_size.folders import CLASSES, half_of, validation_folder
from tests.benchmarks.full_size.place import aside, empty_study, place, study
from tests.benchmarks.table import Row

DATASET = "val"
PER_CLASS = 50
IMAGES = CLASSES * PER_CLASS
_SPARE_TRIES = 2


@cache
def bench_full_import() -> Row:
    """All in the file cache; half of them into a study aside, to see how the work grows."""
    folder, half_folder = place() / DATASET, place() / "half"
    validation_folder(folder, per_class=PER_CLASS)
    half_of(folder, half_folder)
    bare = min(hash_barely(str(folder))["seconds"] for _ in range(2))
    pairs = [(empty_study(f"half {n}"), empty_study(f"whole {n}")) for n in range(_SPARE_TRIES)]
    runs = [
        (alone(take, one, half_folder), alone(take, other, folder))
        for one, other in (*pairs, (aside(), study()))
    ]
    half, whole = map(least, zip(*runs, strict=True))
    assert (half["images"], whole["images"]) == (IMAGES // 2, IMAGES)
    seconds = whole["seconds"]
    return Row(
        f"import of {IMAGES:,} images",
        f"{seconds:.1f} s, {IMAGES / seconds:,.0f} images/s, {whole['megabytes']:.0f} MB; "
        f"{growth(whole, half, of='images'):.2f}× the work an image of half of them",
        f"read and hash {bare:.1f} s, {IMAGES / bare:,.0f} images/s",
        bare / seconds,
        "≤ 1.1× an image",
    )


def hash_barely(folder: str) -> Facts:
    files = sorted(Path(folder).glob("*/*"))
    with timed() as facts:
        for file in files:
            hashlib.sha256(file.read_bytes()).digest()
    return facts


def take(study_folder: str, folder: str) -> Facts:
    with open_study(Path(study_folder), clock=SystemClock()) as store, timed() as facts:
        report = import_dataset(store, DatasetRequest(name=DATASET, path=Path(folder)))
    assert isinstance(report, ImportReport)
    assert not report.odd_files
    return {**facts, "images": report.dataset.images}
