"""Resolving 900,000 verdicts by each rule, and a grid of 2,000 images that stays smooth.

The bare side of a resolution reads the same verdicts from the same file with sqlite3 alone.
"""

import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from labeler.app.review.resolution import ResolutionSettings, resolve_verdicts
from labeler.app.review.views import TileView
from labeler.app.study.preferences import ThemeChoice
from labeler.app.tile_loader import TileLoader
from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.review.blind_types import OwnVerdict
from labeler.core.review.verdict_table import VERDICT_ORDER
from labeler.core.study.entities import ResolutionRule, Verdict
from labeler.core.study.exchange_format import DATASETS, PARTICIPANTS, REVIEWS
from labeler.store.exchange.importer import import_exchange
from labeler.store.study_opening import open_study
from labeler.ui.kit.pictures.contact_sheet import decode_original
from labeler.ui.review.by_class_grid import ReviewGrid
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import QtRunner
from tests.benchmarks.event_loop import Watchdog, serve_for
from tests.benchmarks.exchange import dataset_rows, image_name, write_rows
from tests.benchmarks.photographs import QUALITY, photograph
from tests.benchmarks.table import Row
from tests.unit.store.conftest import made_study

_CHECKOUT = Path(__file__).parents[2]
_RATERS, _LABELS, _PER_PAIR = 85, 4, 5
_BAR = "under 60 s"
_TILES, _STEPS = 2_000, 60
_SMOOTH_MS = 50


def bench_resolutions(verdicts: int) -> list[Row]:
    """Every rule over the same verdicts of 85 raters, each in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        study = Path(place, "study")
        seconds = _make_study(study, Path(place, "files"), verdicts)
        print(f"import of {verdicts:,} verdicts: {seconds:.1f} s", flush=True)
        bare = _bare(study)
        return [_row(rule, study, verdicts, bare) for rule in ResolutionRule]


def bench_grid() -> Row:
    """Scrolling through 2,000 images of a class and judging some, decoded on two threads."""
    runner = QtRunner(threads=2)
    picture = EncodedImage(_jpeg(), apply_exif=False)
    tiles = TileLoader[QImage](
        fetch=lambda _visit: picture,
        shrink=lambda encoded, side: decode_original(encoded, (side, side)),
        runner=runner,
    )
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    grid = ReviewGrid(Appearance(application, ThemeChoice.LIGHT), tiles)
    grid.resize(860, 700)
    grid.show()
    shown = tuple(TileView(f"visit {number}") for number in range(_TILES))
    grid.show_tiles(shown)
    serve_for(500)
    watchdog = Watchdog()
    watchdog.begin()
    for step in range(_STEPS):
        grid.verticalScrollBar().setValue(step * grid.verticalScrollBar().maximum() // _STEPS)
        judged = TileView(shown[step].visit_id, OwnVerdict(Verdict.CORRECT))
        shown = (*shown[:step], judged, *shown[step + 1 :])
        grid.show_tiles(shown)
        serve_for(30)
    gap = watchdog.longest()
    grid.hide()
    tiles.close()
    runner.close()
    return Row(
        name=f"by-class grid of {_TILES:,} images, longest event-loop gap",
        ours=f"{gap.passed * 1000:.0f} ms, of them {gap.worked * 1000:.0f} ms work",
        bare=f"{_SMOOTH_MS} ms",
        ratio=gap.passed * 1000 / _SMOOTH_MS,
        bar="≤ 1×",
    )


def _row(rule: ResolutionRule, study: Path, verdicts: int, bare: float) -> Row:
    command = [sys.executable, "-m", "tests.benchmarks.review", str(rule), str(study)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=_CHECKOUT)
    measured = json.loads(done.stdout)
    return Row(
        name=f"{verdicts:,} verdicts resolved by {rule}",
        ours=f"{measured['seconds']:.1f} s, {measured['megabytes']:.0f} MB",
        bare=f"{bare:.1f} s",
        ratio=bare / measured["seconds"],
        bar=_BAR,
    )


def _make_study(study: Path, files: Path, verdicts: int) -> float:
    """The study with its verdicts; the seconds that their import took."""
    files.mkdir()
    images = max(1, verdicts // (_LABELS * _PER_PAIR))
    raters = [f"R{number:02d}" for number in range(_RATERS)]
    write_rows(files, DATASETS, dataset_rows(images))
    write_rows(files, PARTICIPANTS, ((code, "human", "") for code in raters))
    draw = np.random.default_rng(1)
    wnids = load_default().class_wnids
    truth = draw.choice(3, (images, _LABELS), p=[0.5, 0.1, 0.4])
    skill = draw.uniform(0.5, 0.95, _RATERS)

    def rows() -> Iterator[tuple[object, ...]]:
        for number in range(images):
            chosen = draw.choice(_RATERS, _PER_PAIR, replace=False)
            for step in range(_LABELS):
                label = wnids[(number * 31 + step * 17) % len(wnids)]
                for rater in chosen:
                    right = draw.random() < skill[rater]
                    code = truth[number, step] if right else draw.integers(3)
                    verdict = VERDICT_ORDER[int(code)]
                    yield (
                        raters[rater],
                        "original",
                        image_name(number),
                        label,
                        verdict,
                        "",
                        "initial",
                        "",
                    )

    write_rows(files, REVIEWS, rows())
    with made_study(study) as store:
        started = time.perf_counter()
        import_exchange(store, files)
        return time.perf_counter() - started


def _bare(study: Path) -> float:
    started = time.perf_counter()
    connection = sqlite3.connect(study / "study.db")
    connection.execute("SELECT image_id, class_id, participant_id, verdict FROM review").fetchall()
    connection.close()
    return time.perf_counter() - started


def _jpeg() -> bytes:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "photograph.jpg")
        photograph(0).save(file, quality=QUALITY)
        return file.read_bytes()


def _resolve_alone(rule: str, study: Path) -> None:
    started = time.perf_counter()
    with open_study(study, clock=SystemClock()) as store:
        resolve_verdicts(store, ResolutionSettings(rule=ResolutionRule(rule)))
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "megabytes": peak}))


if __name__ == "__main__":
    _resolve_alone(sys.argv[1], Path(sys.argv[2]))
