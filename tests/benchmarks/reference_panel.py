"""A class's hundred references on the screen against decoding its contact sheet once.

Both sides decode with the program's own decoder of sheets, to tiles of the usual size. The sheet's
file is in the system's cache for both.
"""

import atexit
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from PySide6.QtCore import QEventLoop, QSize
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QListView, QListWidget, QListWidgetItem

from labeler.app.classes.references import References, ReferencesState, ReferencesView
from labeler.app.keymap import load_keymap
from labeler.app.runner import Runner
from labeler.app.study.preferences import ThemeChoice
from labeler.images.contact_sheets import build_sheet
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import TILE_SIZE, SheetSource, jpeg_path
from labeler.ui.classes.reference_grid import DEFAULT_TILE_SIZE
from labeler.ui.classes.reference_panel import ReferencePanel
from labeler.ui.kit.pictures.contact_sheet import decode_sheet
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import QtRunner
from tests.benchmarks.directly import Directly
from tests.benchmarks.photographs import QUALITY, photograph
from tests.benchmarks.table import Row

_CLASSES = ("n01514668", "n02391049")
_REFERENCES = 100
_ALL_IN_SIGHT, _IN_THE_WINDOW = QSize(1100, 900), QSize(860, 400)
_ROUNDS = 60


def bench_panel_cold() -> Row:
    """A class never seen before, read and painted without going through a worker."""
    ours, bare = _against_decoding(_opening(Directly()), size=_ALL_IN_SIGHT)
    return _row("reference panel of 100, cold", ours, bare, bar="≤ 1.8×")


def bench_panel_whole_decode() -> Row:
    """The same against decoding the sheet as it is stored, which is quicker than shrinking it."""
    ours, bare = _against_decoding(_opening(Directly()), size=_ALL_IN_SIGHT, slot=TILE_SIZE)
    name = "reference panel of 100, cold, against its sheet as stored"
    return _row(name, ours, bare, bar="printed")


def bench_panel_through_worker() -> Row:
    """The same as the window does it: the sheet is read and decoded on a worker's thread."""
    runner = QtRunner(threads=2)
    ours, bare = _against_decoding(_opening(runner), size=_ALL_IN_SIGHT)
    runner.close()
    return _row("reference panel of 100, cold, through the worker", ours, bare, bar="≤ 2.1×")


def bench_panel_warm() -> Row:
    """Two classes seen before, by turns."""
    references = _references(Directly())
    for wnid in _CLASSES:
        _open(references, wnid)
    ours, bare = _against_decoding(lambda wnid: _open(references, wnid), size=_ALL_IN_SIGHT)
    return _row("reference panel of 100, seen before or prefetched", ours, bare, bar="≤ 0.75×")


def bench_panel_scrolled() -> Row:
    """A class never seen before in a panel that shows a part, scrolled to its end by pages."""
    opening = _opening(Directly())

    def open_and_scroll(wnid: str) -> None:
        opening(wnid)
        scroll = _panel().grid.verticalScrollBar()
        while scroll.value() < scroll.maximum():
            scroll.setValue(scroll.value() + scroll.pageStep())
            QApplication.processEvents()

    ours, bare = _against_decoding(open_and_scroll, size=_IN_THE_WINDOW)
    return _row("reference panel, cold, and all 100 by scrolling", ours, bare, bar="printed")


def bench_icons() -> Row:
    """What most programs do: a list with an icon from each original."""
    opening = _opening(Directly())
    _panel().resize(_ALL_IN_SIGHT)
    ours, bare = [], []
    for _ in range(_ROUNDS // 5):
        ours += [_timed(lambda: opening(_CLASSES[0])) for _ in range(3)]
        bare.append(_timed(_show_icons))
    panel, icons = statistics.median(ours), statistics.median(bare)
    return Row(
        "reference panel of 100, cold, against icons",
        f"{panel * 1e3:.1f} ms median until painted",
        f"icons from the originals {icons * 1e3:.0f} ms",
        icons / panel,
        "≥ 15×",
    )


def _row(name: str, ours: float, bare: float, *, bar: str) -> Row:
    painted = f"{ours * 1e3:.1f} ms median until painted"
    return Row(name, painted, f"decoding its sheet {bare * 1e3:.1f} ms", ours / bare, bar)


def _against_decoding(
    show: Callable[[str], None], *, size: QSize, slot: int = DEFAULT_TILE_SIZE
) -> tuple[float, float]:
    """The medians of showing a class and of decoding its sheet, measured by turns."""
    _panel().resize(size)
    ours, bare = [], []
    for number in range(_ROUNDS):
        wnid = _CLASSES[number % len(_CLASSES)]
        ours.append(_timed(lambda wnid=wnid: show(wnid)))
        bare.append(_timed(lambda wnid=wnid: decode_sheet(_sheet(wnid), slot)))
    return statistics.median(ours), statistics.median(bare)


def _opening(runner: Runner) -> Callable[[str], None]:
    """Opens a class with nothing known of it from before."""
    return lambda wnid: _open(_references(runner), wnid)


def _references(runner: Runner) -> References[QImage]:
    made = References(folder=_thumbnails(), runner=runner, decode=decode_sheet)
    made.show_at(_panel().grid.sharp_slot)
    return made


def _open(references: References[QImage], wnid: str) -> None:
    """Open a class and come back when the panel has been painted."""
    waiting = True

    def show(view: ReferencesView[QImage]) -> None:
        nonlocal waiting
        _panel().render_references(view, name="a class")
        waiting = view.state is ReferencesState.LOADING

    references.listen(show)
    references.open(wnid)
    while waiting:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    QApplication.processEvents()
    assert len(_panel().grid.tiles) == _REFERENCES


def _show_icons() -> None:
    icons = QListWidget()
    icons.setViewMode(QListView.ViewMode.IconMode)
    icons.setIconSize(QSize(96, 96))
    for file in _originals(_CLASSES[0]):
        icons.addItem(QListWidgetItem(QIcon(QPixmap(str(file))), ""))
    icons.resize(_ALL_IN_SIGHT)
    icons.show()
    QApplication.processEvents()


@cache
def _panel() -> ReferencePanel:
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    panel = ReferencePanel(Appearance(application, ThemeChoice.LIGHT), load_keymap())
    panel.resize(_ALL_IN_SIGHT)
    panel.show()
    QApplication.processEvents()
    return panel


@cache
def _root() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="labeler-bench-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


@cache
def _thumbnails() -> Path:
    """The contact sheets of two classes, with a hundred references each."""
    for seed, wnid in enumerate(_CLASSES):
        (_root() / wnid).mkdir()
        for number, file in enumerate(_originals(wnid)):
            photograph(_REFERENCES * seed + number).save(file, quality=QUALITY)
        build_sheet(_root(), wnid, [_source(file) for file in _originals(wnid)])
    return _root()


def _originals(wnid: str) -> list[Path]:
    return [_root() / wnid / f"{number:03}.jpg" for number in range(_REFERENCES)]


def _sheet(wnid: str) -> Path:
    return jpeg_path(_thumbnails(), wnid)


def _source(file: Path) -> SheetSource:
    return SheetSource(key=file.stem, path=file, content_hash=content_hash(file.read_bytes()))


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
