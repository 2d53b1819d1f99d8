"""A training folder of 1,280,000 names listed, and 100,000 references drawn, read and tiled."""

import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from PIL import Image

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.dataset_import import draw_by_class, import_dataset
from labeler.app.datasets.import_request import REFERENCES_PER_CLASS, DatasetRequest, ImportReport
from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from labeler.core.study.entities import DatasetRole
from labeler.images.dataset_files import ListedImage
from labeler.images.layouts import DatasetLayout
from labeler.images.listing import list_images
from labeler.images.sheet_manifest import TILE_SIZE
from labeler.store.study_opening import open_study
from tests.benchmarks.full_size.alone import Facts, alone, growth, timed
from tests.benchmarks.full_size.folders import CLASSES, tell_apart, training_folder
from tests.benchmarks.full_size.place import SEED, place, study
from tests.benchmarks.table import Row

_PER_CLASS = 1_280
_NAMES = CLASSES * _PER_CLASS
_REFERENCES = CLASSES * REFERENCES_PER_CLASS
# The bare decoding of all would take minutes; of every so many it tells the same rate.
_DECODED_EVERY = 10


@cache
def bench_full_references() -> list[Row]:
    """Each step as the lead waits for it; the folder is removed when its sheets are there."""
    folder = place() / "train"
    wnids = load_default().class_wnids
    training_folder(folder, wnids[: CLASSES // 2], per_class=_PER_CLASS)
    half = alone(list_names, folder)
    training_folder(folder, wnids[CLASSES // 2 :], per_class=_PER_CLASS)
    listed, bare_listed = alone(list_names, folder), alone(list_barely, folder)
    drawn = _write_drawn(folder, place() / "drawn.txt")
    read, bare_read = alone(take_references, study(), folder), alone(read_barely, drawn)
    tiled, bare_tiled = alone(tile, study()), alone(decode_barely, drawn)
    shutil.rmtree(folder)
    return [
        _listing_row(listed, bare_listed, half),
        _reading_row(read, bare_listed["seconds"] + bare_read["seconds"]),
        _tiling_row(tiled, bare_tiled["seconds"]),
    ]


def list_names(folder: str) -> Facts:
    with timed() as facts:
        names = sum(1 for _ in _listed(Path(folder)))
    return {**facts, "names": names}


def list_barely(folder: str) -> Facts:
    with timed() as facts:
        for entry in os.scandir(folder):
            with os.scandir(entry) as files:
                sorted(files, key=lambda file: file.name)
    return facts


def take_references(study_folder: str, folder: str) -> Facts:
    with open_study(Path(study_folder), clock=SystemClock()) as store, timed() as facts:
        request = DatasetRequest(name="train", path=Path(folder), role=DatasetRole.REFERENCE)
        report = import_dataset(store, request)
    assert isinstance(report, ImportReport)
    assert report.dataset.images == _REFERENCES
    assert not report.duplicates
    return facts


def read_barely(drawn: str) -> Facts:
    files = _files_in(drawn)
    with timed() as facts:
        for file in files:
            hashlib.sha256(file.read_bytes()).digest()
    return facts


def tile(study_folder: str) -> Facts:
    halves = _Halves()
    with open_study(Path(study_folder), clock=SystemClock()) as store, timed() as facts:
        report = prepare_sheets(store, progress=halves)
    assert report.finished
    assert not report.problems
    return {**facts, "first_half": halves.first}


def decode_barely(drawn: str) -> Facts:
    """Seconds that one thread would take for all."""
    files = _files_in(drawn)[::_DECODED_EVERY]
    with timed() as facts:
        for file in files:
            with Image.open(file) as image:
                image.draft(None, (TILE_SIZE, TILE_SIZE))
                image.load()
    return {"seconds": facts["seconds"] * _DECODED_EVERY}


class _Halves:
    """Watches how long processors worked for the first half."""

    first = 0.0

    def start(self, what: str, total: int | None) -> None:  # noqa: ARG002
        self._half = (total or 0) // 2
        self._done, self._worked = 0, time.process_time()

    def advance(self, steps: int = 1) -> None:
        self._done += steps
        if self._done == self._half:
            self.first = time.process_time() - self._worked


def _listed(folder: Path) -> Iterator[ListedImage]:
    return list_images(
        folder,
        DatasetLayout.WNID,
        classes=load_default().class_wnids,
        on_ignored=lambda _ignored: None,
    )


def _write_drawn(folder: Path, drawn: Path) -> Path:
    """Note the files that the study will draw, and give each contents of its own."""
    draws = draw_by_class(_listed(folder), per_class=REFERENCES_PER_CLASS, seed=SEED)
    files = [image.path for images in draws.values() for image in images[:REFERENCES_PER_CLASS]]
    tell_apart(files)
    drawn.write_text("".join(f"{file}\n" for file in files), encoding="utf-8")
    return drawn


def _files_in(drawn: str) -> list[Path]:
    return [Path(line) for line in Path(drawn).read_text(encoding="utf-8").splitlines()]


def _listing_row(listed: Facts, bare: Facts, half: Facts) -> Row:
    assert (half["names"], listed["names"]) == (_NAMES // 2, _NAMES)
    return Row(
        f"listing of {_NAMES:,} names",
        f"{listed['seconds']:.1f} s, {listed['megabytes']:.0f} MB; "
        f"{growth(listed, half, of='names'):.2f}× the work a name of half of them",
        f"scandir and sort {bare['seconds']:.1f} s",
        bare["seconds"] / listed["seconds"],
        "≤ 1.1× a name",
    )


def _reading_row(read: Facts, bare: float) -> Row:
    return Row(
        f"{_REFERENCES:,} references drawn from {_NAMES:,} names and read",
        f"{read['seconds']:.1f} s, {read['megabytes']:.0f} MB",
        f"listing, reading and hashing {bare:.1f} s",
        bare / read["seconds"],
        "printed",
    )


def _tiling_row(tiled: Facts, bare: float) -> Row:
    second = tiled["worked"] - tiled["first_half"]
    return Row(
        f"{_REFERENCES:,} references tiled",
        f"{tiled['seconds']:.1f} s, {tiled['megabytes']:.0f} MB; "
        f"the second half {second / tiled['first_half']:.2f}× the work of the first",
        f"decoding at their size by one thread {bare:.1f} s",
        bare / tiled["seconds"],
        "halves ≤ 1.1×",
    )
