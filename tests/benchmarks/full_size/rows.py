"""An exchange file of full size imported, and half of it into a study aside.

The bare side feeds the same file to a table of sqlite3's by csv.reader.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from labeler.core.clock import SystemClock
from labeler.store.exchange.importing import import_exchange
from labeler.store.opening import open_study
from tests.benchmarks.exchange import bare_import
from tests.benchmarks.full_size.alone import Facts, alone, growth, timed
from tests.benchmarks.full_size.answers import write_participants
from tests.benchmarks.full_size.place import aside, place, study
from tests.benchmarks.full_size.validation import PER_CLASS
from tests.benchmarks.table import Row


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
        half = _taken(aside(), Path(folder, "half"), write, per_class=PER_CLASS // 2)
        whole = _taken(study(), Path(folder, "whole"), write, per_class=per_class)
        (file,) = Path(folder, "whole").iterdir()
        bare = alone(take_barely, file)
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


def _taken(study_folder: Path, folder: Path, write: Callable[..., int], *, per_class: int) -> Facts:
    people = folder.with_name(f"{folder.name}-people")
    people.mkdir(parents=True)
    folder.mkdir()
    write_participants(people)
    alone(take, study_folder, people)
    rows = write(folder, per_class=per_class)
    return {**alone(take, study_folder, folder), "rows": rows}
