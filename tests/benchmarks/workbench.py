"""What a labeler waits for in the whole workbench, and how long its event loop is held up.

Each row is measured in one real window over the demo, next to the bare cost of the same work.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtWidgets import QApplication

from labeler.images.decoder import decode
from labeler.ui.classes.reference_grid import DEFAULT_TILE_SIZE
from labeler.ui.kit.pictures.contact_sheet import decode_sheet
from tests.benchmarks.demo_study import demo, demo_copy
from tests.benchmarks.event_loop import Gap, Watchdog, plain_work, serve_for
from tests.benchmarks.labeler_at_work import (
    LabelerAtWork,
    Painted,
    labeler_at_work,
    look_at_class,
    serve_until,
)
from tests.benchmarks.search_paint import queries
from tests.benchmarks.table import Row

# A person looks for seconds; so long the window has to get ready for what comes.
_LOOK_MS = 60
_SUBMITTED = 40
_NAMES = ("tench", "goldfish", "tabby", "marmot", "espresso", "volcano", "banjo", "zebra")
_LETTERS = 4
_BLOCK = os.urandom(4096)
# As much as the window works in its longest gaps: how long it takes is the machine's share in them.
_PLAIN_WORK_SECONDS = 0.02


@dataclass
class Measured:
    """Seconds of each of ours and of each bare, and the longest gap of the event loop."""

    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    plain: list[float] = field(default_factory=list)

    def measure(self, watchdog: Watchdog, work: Callable[[], object]) -> None:
        watchdog.begin()
        start = time.perf_counter()
        work()
        self.ours.append(time.perf_counter() - start)
        # What the work leaves behind for later may hold the window up too.
        serve_for(_LOOK_MS)
        self.gaps.append(watchdog.longest())

    def measure_bare(self, work: Callable[[], object]) -> None:
        start = time.perf_counter()
        work()
        self.bare.append(time.perf_counter() - start)
        self.plain.append(plain_work(_PLAIN_WORK_SECONDS))

    def row(self, name: str, bare: str, bar: str = "gap ≤ 50 ms") -> Row:
        own, plain = statistics.median(self.ours), statistics.median(self.bare)
        slowest, passed = max(self.ours), max(gap.passed for gap in self.gaps)
        worked = max(gap.worked for gap in self.gaps)
        undisturbed = max((gap.passed for gap in self.gaps if not gap.stolen), default=passed)
        return Row(
            name,
            f"{own * 1e3:.1f} ms median, {slowest * 1e3:.0f} ms slowest of {len(self.ours)}; "
            f"longest gap {passed * 1e3:.0f} ms, "
            f"{undisturbed * 1e3:.0f} ms while the machine's host took no time, "
            f"longest work in one {worked * 1e3:.0f} ms",
            f"{bare} {plain * 1e3:.1f} ms; {_PLAIN_WORK_SECONDS * 1e3:.0f} ms of plain computing "
            f"took up to {max(self.plain) * 1e3:.0f} ms",
            own / plain,
            bar,
        )


def bench_submit() -> Row:
    """Submit until the next image is painted, the answer being on the disk by then."""
    measured = Measured()
    photographs = sorted((demo() / "pictures" / "original").rglob("*.jpg"))
    with _window() as (labeler, watchdog):
        for number in range(_SUBMITTED):
            labeler.choose(_NAMES[number % len(_NAMES)])
            serve_for(_LOOK_MS)
            measured.measure(watchdog, labeler.submit)
            photograph = photographs[number % len(photographs)]
            measured.measure_bare(lambda photograph=photograph: _decode_and_sync(photograph))
    return measured.row(
        "workbench: submit to next image painted",
        "decoding it and fdatasync",
        "median ≤ 50 ms, slowest of 40 ≤ 100 ms, gap ≤ 50 ms",
    )


def bench_typing() -> Row:
    """A key until results, class, references and taxonomy that follow it are painted."""
    measured = Measured()
    with _window() as (labeler, watchdog):
        finder = labeler.tools.finder
        for query in queries():
            finder.field.selectAll()
            for letter in query[:_LETTERS]:
                if letter.isascii() and letter.isalpha():
                    measured.measure(watchdog, lambda letter=letter: _type(labeler, letter))
                    measured.measure_bare(lambda: _reset_list(labeler))
    return measured.row(
        "workbench: key press to painted results",
        "resetting and painting them",
        "median ≤ 25 ms, gap ≤ 50 ms",
    )


def bench_class_cold() -> Row:
    """A class never seen before until its references are painted."""
    name = "workbench: class selected to references painted, cold"
    with _window() as (labeler, watchdog):
        return bench_classes(name, labeler, watchdog, _illustrated(), again=False)


def bench_class_warm() -> Row:
    """A class seen a moment ago."""
    name = "workbench: class selected to references painted, warm"
    with _window() as (labeler, watchdog):
        return bench_classes(name, labeler, watchdog, _illustrated(), again=True)


def bench_classes(
    name: str,
    labeler: LabelerAtWork,
    watchdog: Watchdog,
    sheets: Sequence[Path],
    *,
    again: bool,
) -> Row:
    """Go from class to class, next to the decoding of their sheets."""
    measured = Measured()
    # Far apart, since a class's neighbours are fetched ahead.
    first, *others = [*sheets[::2], *sheets[1::2]]
    for sheet in others:
        if again:
            look_at_class(labeler, sheet.stem)
            look_at_class(labeler, first.stem)
            serve_for(_LOOK_MS)
        measured.measure(watchdog, lambda sheet=sheet: look_at_class(labeler, sheet.stem))
        measured.measure_bare(lambda sheet=sheet: decode_sheet(sheet, DEFAULT_TILE_SIZE))
    return measured.row(name, "decoding its sheet")


def _illustrated() -> list[Path]:
    return sorted((demo() / "thumbnails").glob("n*.jpg"))


@contextmanager
def _window() -> Iterator[tuple[LabelerAtWork, Watchdog]]:
    with (
        tempfile.TemporaryDirectory() as place,
        watched_labeler(demo_copy(Path(place))) as watched,
    ):
        yield watched


@contextmanager
def watched_labeler(study: Path) -> Iterator[tuple[LabelerAtWork, Watchdog]]:
    """A labeler at work whose window is at rest, and someone who watches it."""
    with labeler_at_work(study) as labeler:
        serve_for(10 * _LOOK_MS)
        watchdog = Watchdog()
        yield labeler, watchdog
        watchdog.deleteLater()


def _type(labeler: LabelerAtWork, letter: str) -> None:
    painted = Painted(labeler.tools.finder.results.viewport())
    labeler.type(letter)
    # Where nothing is found, a sentence is in the list's place.
    serve_until(lambda: painted.times > 0 or not labeler.tools.browser.view.rows)


def _reset_list(labeler: LabelerAtWork) -> None:
    finder, view = labeler.tools.finder, labeler.tools.browser.view
    finder.results.show_rows(())
    finder.results.show_rows(view.rows)
    finder.results.show_current(view.selected)
    QApplication.processEvents()


def _decode_and_sync(photograph: Path) -> None:
    decode(photograph.read_bytes())
    with tempfile.NamedTemporaryFile(dir=photograph.parent) as file:
        file.write(_BLOCK)
        file.flush()
        os.fdatasync(file.fileno())
