"""Importing large exchange files, next to `csv.reader` feeding sqlite3 the same rows."""

import csv
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from labeler.core.study.exchange_format import (
    DATASETS,
    PARTICIPANTS,
    PREDICTIONS,
    REVIEWS,
    ExchangeFile,
)
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.exchange.importer import import_exchange
from labeler.store.exchange.parquet.writer import write_parquet
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, create_database
from tests.benchmarks.table import Row

_CHECKOUT = Path(__file__).parents[2]
_ROUNDS = 2
_RANKS = 5
_MODELS = 60
_REVIEWERS = 5
_LABELS = 4
_DATASET = "original"
_BAR = "≥ 0.5 of the bare rate"


def bench_predictions(rows: int) -> Row:
    """Models' predictions with five ranks each."""
    images = max(1, rows // (_MODELS * _RANKS))
    models = [f"model_{number:02d}" for number in range(_MODELS)]
    return _bench(PREDICTIONS, images, models, "model", _prediction_rows(images, models))


def bench_reviews(rows: int) -> Row:
    """Five reviewers' verdicts on four labels of each image."""
    images = max(1, rows // (_REVIEWERS * _LABELS))
    reviewers = [f"R{number}" for number in range(_REVIEWERS)]
    return _bench(REVIEWS, images, reviewers, "human", _review_rows(images, reviewers))


def bench_parquet(rows: int) -> Row:
    """The same predictions as Parquet, next to their import as CSV."""
    images = max(1, rows // (_MODELS * _RANKS))
    models = [f"model_{number:02d}" for number in range(_MODELS)]
    with tempfile.TemporaryDirectory() as place:
        as_csv, as_parquet, before = (Path(place, name) for name in ("csv", "parquet", "before"))
        for folder in (as_csv, as_parquet, before):
            folder.mkdir()
        write_rows(before, DATASETS, dataset_rows(images))
        write_rows(before, PARTICIPANTS, ((code, "model", "") for code in models))
        count = write_rows(as_csv, PREDICTIONS, _prediction_rows(images, models))
        parquet = as_parquet / f"{PREDICTIONS.stem}.parquet"
        write_parquet(parquet, PREDICTIONS, PREDICTIONS.columns, _prediction_rows(images, models))
        files = {"csv": as_csv / PREDICTIONS.name, "parquet": parquet}
        best = {
            name: min(
                (_in_process("ours", file, before) for _ in range(_ROUNDS)),
                key=lambda measured: measured["seconds"],
            )
            for name, file in files.items()
        }
    return Row(
        name=f"import of {count:,} rows of {parquet.name}",
        ours=_told(count, best["parquet"]),
        bare=f"as CSV {_told(count, best['csv'])}",
        ratio=best["csv"]["seconds"] / best["parquet"]["seconds"],
        bar="≥ 5× the CSV rate",
    )


def _bench(
    file: ExchangeFile,
    images: int,
    participants: list[str],
    kind: str,
    rows: Iterator[tuple[object, ...]],
) -> Row:
    with tempfile.TemporaryDirectory() as place:
        folder, before = Path(place, "files"), Path(place, "before")
        folder.mkdir()
        before.mkdir()
        write_rows(before, DATASETS, dataset_rows(images))
        write_rows(before, PARTICIPANTS, ((code, kind, "") for code in participants))
        count = write_rows(folder, file, rows)
        runs = [
            {what: _in_process(what, folder / file.name, before) for what in ("bare", "ours")}
            for _ in range(_ROUNDS)
        ]
    # The best of each: other programs on the machine only ever add to a time.
    bare = min((run["bare"] for run in runs), key=lambda measured: measured["seconds"])
    ours = min((run["ours"] for run in runs), key=lambda measured: measured["seconds"])
    return Row(
        name=f"import of {count:,} rows of {file.name}",
        ours=_told(count, ours),
        bare=_told(count, bare),
        ratio=bare["seconds"] / ours["seconds"],
        bar=_BAR,
    )


def _told(count: int, measured: dict[str, float]) -> str:
    return f"{count / measured['seconds']:,.0f} rows/s, {measured['megabytes']:.0f} MB"


def write_rows(folder: Path, file: ExchangeFile, rows: Iterable[tuple[object, ...]]) -> int:
    count = 0
    with (folder / file.name).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(file.columns)
        for row in rows:
            writer.writerow(row)
            count += 1
    return count


def image_name(number: int) -> str:
    wnids = load_default().class_wnids
    return f"{wnids[number % len(wnids)]}/ILSVRC2012_val_{number:08d}.JPEG"


def dataset_rows(images: int) -> Iterator[tuple[object, ...]]:
    wnids = load_default().class_wnids
    for number in range(images):
        yield _DATASET, image_name(number), wnids[number % len(wnids)], "", ""


def _prediction_rows(images: int, models: list[str]) -> Iterator[tuple[object, ...]]:
    wnids = load_default().class_wnids
    for step, model in enumerate(models):
        for number in range(images):
            image = image_name(number)
            for rank in range(1, _RANKS + 1):
                label = wnids[(number * 31 + rank * 17 + step) % len(wnids)]
                score = 1 / (rank + 1 + (number * 7919 + step) % 1009 / 1009)
                yield model, _DATASET, image, rank, label, score, "", "", "", 0, ""


def _review_rows(images: int, reviewers: list[str]) -> Iterator[tuple[object, ...]]:
    wnids = load_default().class_wnids
    verdicts = ("correct", "wrong", "unclear")
    for reviewer in reviewers:
        for number in range(images):
            image = image_name(number)
            for step in range(_LABELS):
                label = wnids[(number * 31 + step * 17) % len(wnids)]
                at = f"2026-03-{number % 31 + 1:02d}T09:{number // 60 % 60:02d}:00.{step:03d}Z"
                verdict = verdicts[(number + step) % 3]
                kind = "several_objects" if step == 0 else ""
                yield reviewer, _DATASET, image, label, verdict, kind, "initial", at


def _in_process(what: str, file: Path, before: Path) -> dict[str, float]:
    """Seconds and peak megabytes of one import, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.exchange", what, str(file), str(before)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=_CHECKOUT)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def bare_import(file: Path, folder: Path) -> float:
    connection = sqlite3.connect(folder / "bare.db")
    connection.execute("PRAGMA journal_mode=WAL")
    with file.open(encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream)
        columns = next(reader)
        connection.execute(f"CREATE TABLE bare ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        started = time.perf_counter()
        connection.executemany(f"INSERT INTO bare VALUES ({marks})", reader)
    connection.commit()
    seconds = time.perf_counter() - started
    connection.close()
    return seconds


def _ours(file: Path, before: Path, folder: Path) -> float:
    with _study(folder) as store:
        import_exchange(store, before)
        started = time.perf_counter()
        import_exchange(store, file.parent)
        return time.perf_counter() - started


def _study(folder: Path) -> StudyStore:
    url, clock = sqlite_url(folder / "study.db"), SystemClock()
    create_database(
        url,
        name="benchmark",
        seed=1,
        taxonomy=load_default(),
        program_version="benchmark",
        clock=clock,
    )
    return StudyStore(StudyFolder(folder), Database(url), clock)


def _measure(what: str, file: Path, before: Path) -> None:
    with tempfile.TemporaryDirectory(dir=file.parent.parent) as place:
        folder = Path(place)
        seconds = bare_import(file, folder) if what == "bare" else _ours(file, before, folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "megabytes": peak}))


if __name__ == "__main__":
    _measure(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
