"""An exchange file of full size imported, and half of it into a study aside.

The bare side feeds the same file to a table of sqlite3's by csv.reader.
"""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from labeler.core.clock import SystemClock
from labeler.store.exchange.importer import import_exchange
from labeler.store.study_opening import open_study
from tests.benchmarks.exchange import bare_import
from tests.benchmarks.full_size.alone import Facts, alone, growth, least, timed
from tests.benchmarks.full_size.answers import write_participants
from tests.benchmarks.full_size.place import aside, place, study
from tests.benchmarks.full_size.validation import PER_CLASS
from tests.benchmarks.table import Row

_SPARE_TRIES = 2


@dataclass(frozen=True)
class _Side:
    """A study, the folder with its file, and how many rows that has."""

    study: Path
    folder: Path
    rows: int


def take(study_folder: str, folder: str) -> Facts:
    with open_study(Path(study_folder), clock=SystemClock()) as store, timed() as facts:
        import_exchange(store, Path(folder))
    return facts


def take_barely(file: str) -> Facts:
    with tempfile.TemporaryDirectory(dir=Path(file).parents[1]) as folder:
        return {"seconds": bare_import(Path(file), Path(folder))}


def bench_rows(name: str, write: Callable[..., int], *, per_class: int) -> Row:
    """Write the file and import it; the name has room for the number of its rows."""
    with tempfile.TemporaryDirectory(dir=place()) as folder:
        sides = (
            _side(aside(), Path(folder, "half"), write, per_class=PER_CLASS // 2),
            _side(study(), Path(folder, "whole"), write, per_class=per_class),
        )
        # By turns, and into the studies themselves at last.
        runs = [[_tried(side) for side in sides] for _ in range(_SPARE_TRIES)]
        runs.append([alone(take, side.study, side.folder) for side in sides])
        (file,) = sides[1].folder.iterdir()
        bare = alone(take_barely, file)
    half, whole = (
        {**least(facts), "rows": side.rows}
        for side, facts in zip(sides, zip(*runs, strict=True), strict=True)
    )
    rows = whole["rows"]
    return Row(
        name.format(int(rows)),
        f"{whole['seconds']:.1f} s, {rows / whole['seconds']:,.0f} rows/s, "
        f"{whole['megabytes']:.0f} MB; {growth(whole, half, of='rows'):.2f}× the work a row "
        f"of {half['rows']:,}",
        f"{bare['seconds']:.1f} s, {rows / bare['seconds']:,.0f} rows/s",
        bare["seconds"] / whole["seconds"],
        "≤ 1.1× a row",
    )


def _side(study_folder: Path, folder: Path, write: Callable[..., int], *, per_class: int) -> _Side:
    """Write a file for a study whose people are known."""
    people = folder.with_name(f"{folder.name}-people")
    people.mkdir(parents=True)
    folder.mkdir()
    write_participants(people)
    alone(take, study_folder, people)
    return _Side(study_folder, folder, write(folder, per_class=per_class))


def _tried(side: _Side) -> Facts:
    """The import into a copy of the study, which goes again."""
    copy = place() / "tried"
    shutil.copytree(side.study, copy, ignore=shutil.ignore_patterns("thumbnails", "backups"))
    try:
        return alone(take, copy, side.folder)
    finally:
        shutil.rmtree(copy)
