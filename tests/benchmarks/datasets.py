"""Importing a dataset against reading and hashing the same files, nothing else."""

import hashlib
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.study.studies import new_study
from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from tests.benchmarks.photographs import numbered
from tests.benchmarks.table import Row

_SIZE = (500, 375)


def bench_import(images: int = 4_000) -> Row:
    """JPEGs of the size of ImageNet's, in folders by wnid, in the file cache both times."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "val")
        files = _make(folder, images)
        _hash_all(files)
        bare = _timed_hash(files)
        ours = _timed_import(Path(temporary, "study"), folder)
    return Row(
        f"import of {images:,} images",
        f"{images / ours:,.0f} images/s",
        f"read and hash {images / bare:,.0f} images/s",
        bare / ours,
        "printed",
    )


def _make(folder: Path, images: int) -> list[Path]:
    """Files that differ in their last bytes only: cheap to make, honest to read."""
    noise = np.random.default_rng(7).normal(128, 40, (_SIZE[1] // 4, _SIZE[0] // 4, 3))
    picture = Image.fromarray(noise.clip(0, 255).astype("uint8")).resize(_SIZE)
    sample = folder / "sample.jpg"
    folder.mkdir(parents=True)
    picture.save(sample, quality=92)
    data = sample.read_bytes()
    sample.unlink()
    files = []
    for number in range(images):
        wnid = load_default().class_wnids[number % 1000]
        file = folder / wnid / f"ILSVRC2012_val_{number:08d}.JPEG"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(numbered(data, number))
        files.append(file)
    return files


def _hash_all(files: list[Path]) -> None:
    for file in files:
        hashlib.sha256(file.read_bytes()).digest()


def _timed_hash(files: list[Path]) -> float:
    start = time.perf_counter()
    _hash_all(files)
    return time.perf_counter() - start


def _timed_import(study: Path, folder: Path) -> float:
    with new_study(study, clock=SystemClock()) as store:
        start = time.perf_counter()
        import_dataset(store, DatasetRequest(name="val", path=folder))
        return time.perf_counter() - start
