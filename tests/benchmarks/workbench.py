"""What a labeler waits for in the whole workbench, and how long its event loop is held up.

Each row is measured in one real window over the demo, beside the bare cost of the same work.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtWidgets import QApplication

from labeler.images.decode import decode
from labeler.images.sheet_manifest import jpeg_path
from labeler.ui.sheet_image import decode_sheet
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
_SUBMITTED = 50
_NAMES = ("tench", "goldfish", "tabby", "marmot", "espresso", "volcano", "banjo", "zebra")
_LETTERS = 4
_BLOCK = os.urandom(4096)
# As much as the window works in its longest gaps: how long it takes is the machine's share in them.
_PLAIN_WORK_SECONDS = 0.02


@dataclass
class _Measured:
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

    def row(self, name: str, bare: str) -> Row:
        own, plain = statistics.median(self.ours), statistics.median(self.bare)
        passed = max(gap.passed for gap in self.gaps)
        worked = max(gap.worked for gap in self.gaps)
        return Row(
            name,
            f"{own * 1e3:.1f} ms median; longest gap {passed * 1e3:.0f} ms, "
            f"longest work in one {worked * 1e3:.0f} ms",
            f"{bare} {plain * 1e3:.1f} ms; {_PLAIN_WORK_SECONDS * 1e3:.0f} ms of plain computing "
            f"took up to {max(self.plain) * 1e3:.0f} ms",
            own / plain,
            "gap ≤ 50 ms",
        )


def bench_submit() -> Row:
    """Submit until the next image is painted, the answer being on the disk by then."""
    measured = _Measured()
    photographs = sorted((demo() / "pictures" / "original").rglob("*.jpg"))
    with _window() as (labeler, watchdog):
        for number in range(_SUBMITTED):
            labeler.choose(_NAMES[number % len(_NAMES)])
            serve_for(_LOOK_MS)
            measured.measure(watchdog, labeler.submit)
            photograph = photographs[number % len(photographs)]
            measured.measure_bare(lambda photograph=photograph: _decode_and_sync(photograph))
    return measured.row("workbench: submit to next image painted", "decoding it and fdatasync")


def bench_typing() -> Row:
    """A key until results, class, references and taxonomy that follow it are painted."""
    measured = _Measured()
    with _window() as (labeler, watchdog):
        finder = labeler.tools.finder
        for query in queries():
            finder.field.selectAll()
            for letter in query[:_LETTERS]:
                if letter.isascii() and letter.isalpha():
                    measured.measure(watchdog, lambda letter=letter: _type(labeler, letter))
                    measured.measure_bare(lambda: _reset_list(labeler))
    return measured.row("workbench: key press to painted results", "resetting and painting them")


def bench_class_cold() -> Row:
    """A class never seen before until its references are painted."""
    return _bench_classes("workbench: class selected to references painted, cold", again=False)


def bench_class_warm() -> Row:
    """A class seen a moment ago."""
    return _bench_classes("workbench: class selected to references painted, warm", again=True)


def _bench_classes(name: str, *, again: bool) -> Row:
    measured = _Measured()
    with _window() as (labeler, watchdog):
        thumbnails = demo() / "thumbnails"
        illustrated = sorted(file.stem for file in thumbnails.glob("n*.jpg"))
        # Far apart, since a class's neighbours are fetched ahead.
        first, *others = illustrated[::2] + illustrated[1::2]
        for wnid in others:
            if again:
                look_at_class(labeler, wnid)
                look_at_class(labeler, first)
                serve_for(_LOOK_MS)
            measured.measure(watchdog, lambda wnid=wnid: look_at_class(labeler, wnid))
            measured.measure_bare(lambda wnid=wnid: decode_sheet(jpeg_path(thumbnails, wnid)))
    return measured.row(name, "decoding its sheet")


@contextmanager
def _window() -> Iterator[tuple[LabelerAtWork, Watchdog]]:
    with (
        tempfile.TemporaryDirectory() as place,
        labeler_at_work(demo_copy(Path(place))) as labeler,
    ):
        serve_for(10 * _LOOK_MS)
        watchdog = Watchdog()
        yield labeler, watchdog
        watchdog.deleteLater()


def _type(labeler: LabelerAtWork, letter: str) -> None:
    painted = Painted(labeler.tools.finder.results.viewport())
    labeler.type(letter)
    # Where nothing is found, a sentence stands in the list's place.
    serve_until(lambda: painted.times > 0 or not labeler.tools.browser.view.rows)


def _reset_list(labeler: LabelerAtWork) -> None:
    finder, view = labeler.tools.finder, labeler.tools.browser.view
    finder.model.show(())
    finder.model.show(view.rows)
    finder.results.show_current(view.selected)
    QApplication.processEvents()


def _decode_and_sync(photograph: Path) -> None:
    decode(photograph.read_bytes())
    with tempfile.NamedTemporaryFile(dir=photograph.parent) as file:
        file.write(_BLOCK)
        file.flush()
        os.fdatasync(file.fileno())
