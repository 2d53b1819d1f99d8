"""Folders as large as ImageNet's, made in seconds."""

import os
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path

from labeler.core.classes.taxonomy import load_default
from tests.benchmarks.photographs import numbered, photograph

CLASSES = 1_000
_DISTINCT = 40
# A third of the bytes of ImageNet's files at the same size: what counts is how many there are.
_QUALITY = 60
_OTHERS = 1_000_000


def validation_folder(folder: Path, *, per_class: int) -> None:
    """So many images of each class, no two with the same contents."""
    number = 0
    for wnid in load_default().class_wnids:
        place = folder / wnid
        place.mkdir(parents=True)
        for _ in range(per_class):
            name = f"ILSVRC2012_val_{number:08d}.JPEG"
            (place / name).write_bytes(numbered(_photographs()[number % _DISTINCT], number))
            number += 1


def half_of(folder: Path, half: Path) -> None:
    """The first half of every class's images again, as links."""
    for place in folder.iterdir():
        (half / place.name).mkdir(parents=True)
        files = sorted(place.iterdir())
        for file in files[: len(files) // 2]:
            os.link(file, half / place.name / file.name)


def training_folder(folder: Path, wnids: Iterable[str], *, per_class: int) -> None:
    """So many names in each class's folder, all of them one file until they are distinguished."""
    for wnid in wnids:
        place = folder / wnid
        place.mkdir(parents=True)
        first = place / f"{wnid}_0.JPEG"
        first.write_bytes(_photographs()[0])
        for number in range(1, per_class):
            os.link(first, f"{place}/{wnid}_{number}.JPEG")


def tell_apart(files: Iterable[Path]) -> None:
    """Give each of these files contents of its own, which no validation image has."""
    for number, file in enumerate(files, start=_OTHERS):
        file.unlink()
        file.write_bytes(numbered(_photographs()[number % _DISTINCT], number))


@cache
def _photographs() -> tuple[bytes, ...]:
    return tuple(_jpeg(seed) for seed in range(_DISTINCT))


def _jpeg(seed: int) -> bytes:
    buffer = BytesIO()
    photograph(seed).save(buffer, "JPEG", quality=_QUALITY)
    return buffer.getvalue()
