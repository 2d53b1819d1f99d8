"""Crowd tasks at the size of the paper: files, aggregation, report, objects, and a grid's paint.

The bare side of the answers is csv.reader feeding sqlite3 the same rows; that of the objects reads
every answer once.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtWidgets import QApplication

from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.app.results.report_data import ReportRequest, read_report_data
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.taxonomy import load_default
from labeler.core.crowd.entities import ClassifyAnswer
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.crowd.objects import find_objects
from labeler.core.study.entities import ImageKey
from labeler.core.study.exchange_format import CONTAINS_ANSWERS, DATASETS, GRIDS, PARTICIPANTS
from labeler.store.exchange.importer import import_exchange
from labeler.ui.crowd.picture_choice_grid import PictureChoiceGrid
from labeler.ui.window.theme import Appearance
from tests.benchmarks.event_loop import Watchdog, serve_for
from tests.benchmarks.exchange import bare_import, dataset_rows, image_name, write_rows
from tests.benchmarks.photographs import photograph
from tests.benchmarks.table import Row
from tests.unit.store.conftest import made_study

_CHECKOUT = Path(__file__).parents[2]
_ANSWERS, _PER_GRID, _PLACES, _POSITIVE = 35_000, 9, 48, 5
_IMAGES, _ANNOTATORS = 10_000, 300
_FOLLOWED_UP, _MOST_TICKED = 6_761, 3
_SMOOTH_MS = 50
_DATASET = "original"


def bench_crowd_answers() -> list[Row]:
    """35,000 contains-answers imported, aggregated and reported, in a process of their own."""
    with tempfile.TemporaryDirectory() as place:
        files, bare = Path(place, "files"), Path(place, "bare")
        files.mkdir()
        bare.mkdir()
        judgements = _write_files(files)
        seconds = bare_import(files / CONTAINS_ANSWERS.name, bare)
        (bare / "bare.db").unlink()
        seconds += bare_import(files / GRIDS.name, bare)
        command = [sys.executable, "-m", "tests.benchmarks.crowd", str(files), place]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=_CHECKOUT)
    measured = json.loads(done.stdout)
    return [
        Row(
            name=f"{_ANSWERS:,} contains-answers ({judgements:,} judgements) {what}",
            ours=f"{measured[what]:.1f} s, at most {measured['megabytes']:.0f} MB",
            bare=f"{seconds:.1f} s",
            ratio=seconds / measured[what],
            bar="reported",
        )
        for what in ("imported", "aggregated", "reported")
    ]


def bench_crowd_objects() -> Row:
    """The objects of 6,761 images with nine answers each, over up to seven labels an image."""
    taxonomy, answers = load_default(), list(_classify_answers())
    began = time.perf_counter()
    for each in answers:
        Counter(label for answer in each for label in answer.labels)
    bare = time.perf_counter() - began
    began = time.perf_counter()
    for each in answers:
        find_objects(each, target=min(each[0].labels), distance=taxonomy.distance)
    ours = time.perf_counter() - began
    return Row(
        name=f"objects of {_FOLLOWED_UP:,} images with {_PER_GRID} answers",
        ours=f"{ours:.1f} s",
        bare=f"{bare:.2f} s",
        ratio=bare / ours,
        bar="under 10 s",
    )


def bench_crowd_grid() -> list[Row]:
    """The first paint of 48 images, and then 48 clicks, each shown before the next."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    pictures = {n: grid_picture(n) for n in range(1, _PLACES + 1)}
    grid = PictureChoiceGrid(Appearance(application, ThemeChoice.LIGHT), pictures.get)
    grid.resize(1280, 664)
    grid.show()
    serve_for(200)
    watchdog = Watchdog()
    watchdog.begin()
    grid.show_images(_PLACES)
    grid.repaint()
    # Smooth copies of the images follow in the next paints.
    serve_for(300)
    first = watchdog.longest()
    watchdog.begin()
    chosen: set[int] = set()

    def toggle(position: int) -> None:
        chosen.symmetric_difference_update({position})
        grid.show_selected(frozenset(chosen))

    grid.toggled.connect(toggle)
    for position in range(1, _PLACES + 1):
        _click(grid, position)
        serve_for(10)
    gap = watchdog.longest()
    grid.hide()
    assert len(chosen) == _PLACES
    return [
        _smooth(
            f"first paint of a grid of {_PLACES} images, longest event-loop gap",
            first.passed,
            first.worked,
        ),
        _smooth("toggling a grid's images, longest event-loop gap", gap.passed, gap.worked),
    ]


def _smooth(name: str, passed: float, worked: float) -> Row:
    return Row(
        name=name,
        ours=f"{passed * 1000:.0f} ms, of them {worked * 1000:.0f} ms work",
        bare=f"{_SMOOTH_MS} ms",
        ratio=passed * 1000 / _SMOOTH_MS,
        bar="≤ 1×",
    )


def _click(grid: PictureChoiceGrid, position: int) -> None:
    where = QPointF(grid.tile(position).center())
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        QApplication.sendEvent(
            grid, QMouseEvent(kind, where, grid.mapToGlobal(where), button, button, none)
        )


def grid_picture(seed: int) -> QImage:
    pixels = np.ascontiguousarray(np.asarray(photograph(seed).convert("RGB").resize((500, 375))))
    return QImage(pixels.data, 500, 375, 3 * 500, QImage.Format.Format_RGB888).copy()


def _write_files(folder: Path) -> int:
    """Write a study's files and return the number of judgements."""
    grids = -(-_ANSWERS // _PER_GRID)
    write_rows(folder, DATASETS, dataset_rows(_IMAGES))
    people = [f"A{number:03d}" for number in range(_ANNOTATORS)]
    write_rows(folder, PARTICIPANTS, ((code, "human", "") for code in people))
    write_rows(folder, GRIDS, _grid_rows(grids))
    write_rows(folder, CONTAINS_ANSWERS, _answer_rows(grids, people))
    return _ANSWERS * _PLACES


def _grid_rows(grids: int) -> Iterator[tuple[object, ...]]:
    wnids = load_default().class_wnids
    for grid in range(grids):
        label = wnids[grid % len(wnids)]
        for place in range(_PLACES):
            # Images of the class itself come every thousand.
            own = grid % 1000 + 1000 * place
            image = own if place < _POSITIVE else (grid * 43 + place * 211) % _IMAGES
            role = "positive" if place < _POSITIVE else "candidate"
            yield f"g{grid:05d}", label, place + 1, _DATASET, image_name(image), role


def _answer_rows(grids: int, people: list[str]) -> Iterator[tuple[object, ...]]:
    random = np.random.default_rng(1)
    for number in range(_ANSWERS):
        grid, turn = number % grids, number // grids
        code = people[(grid + turn * 31) % len(people)]
        chosen = np.flatnonzero(random.random(_PLACES - _POSITIVE) < 0.3) + _POSITIVE + 1
        positive = range(1, _POSITIVE + 1)
        selected = "|".join(map(str, [*positive, *chosen.tolist()]))
        at = f"2026-03-{number % 28 + 1:02d}T09:00:00Z"
        yield code, f"g{grid:05d}", selected, 30, at, "submitted"


def _classify_answers() -> Iterator[list[ClassifyAnswer]]:
    random = np.random.default_rng(2)
    wnids = load_default().class_wnids
    for number in range(_FOLLOWED_UP):
        labels = [wnids[n] for n in random.integers(0, 1000, random.integers(2, 8))]
        image = ImageKey(_DATASET, f"{number}")
        yield [_classify_answer(f"A{person}", image, labels, random) for person in range(_PER_GRID)]


def _classify_answer(
    code: str, image: ImageKey, labels: list[str], random: np.random.Generator
) -> ClassifyAnswer:
    ticked = random.permutation(sorted(set(labels)))[: random.integers(1, _MOST_TICKED + 1)]
    return ClassifyAnswer(
        participant=code,
        image=image,
        labels=frozenset(map(str, ticked)),
        main=str(ticked[0]),
        submitted_at="2026-01-01T00:00:00Z",
    )


def _measure(files: Path, place: Path) -> dict[str, float]:
    """Return the seconds of each step, and the most memory of this process."""
    measured = {}
    with made_study(place / "study") as store:
        for what, work in (
            ("imported", lambda: import_exchange(store, files)),
            ("aggregated", lambda: aggregate_crowd(store, quality=QualityRule.CONTROLS)),
            ("reported", lambda: read_report_data(store, ReportRequest())),
        ):
            began = time.perf_counter()
            work()
            measured[what] = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {**measured, "megabytes": peak / 1024}


if __name__ == "__main__":
    print(json.dumps(_measure(Path(sys.argv[1]), Path(sys.argv[2]))))
