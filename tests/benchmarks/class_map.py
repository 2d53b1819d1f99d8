"""A frame of the class map while a person zooms and pans, with 1,000 and with 21,841 classes.

Every class has references: links to one contact sheet under its own name. The frames are painted
by Qt's software renderer into a window of 1280 by 800 points. The larger map is measured in a
process of its own, whose memory has nothing else in it.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEventLoop
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from labeler.app.classes.class_map import STOPS, ClassMap
from labeler.app.classes.map_pictures import FirstReferences, MosaicLoader
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import Taxonomy, dump, load, load_default
from labeler.images.contact_sheets import build_sheet
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import SheetSource, jpeg_path, manifest_path
from labeler.ui.classes.map.map_canvas import ClassMapCanvas
from labeler.ui.classes.map.mosaic_atlas import decode_page
from labeler.ui.kit.pictures.contact_sheet import decode_tile
from labeler.ui.window.theme import Appearance
from tests.benchmarks.directly import Directly
from tests.benchmarks.photographs import QUALITY, photograph
from tests.benchmarks.search import taxonomy_of_many_classes
from tests.benchmarks.table import Row

_CHECKOUT = Path(__file__).parents[2]
_SIZE = (1280, 800)
_REFERENCES, _REFERENCES_OF_MANY = 20, 4
_PANS, _STEP = 40, 48
_WHEEL_STEPS, _WHEEL_FACTOR = 12, 1.25
_TAXONOMY = "taxonomy.json"


class _Frames(NamedTuple):
    """The seconds of the frames and of a plain one, and the memory in megabytes."""

    median: float
    p99: float
    count: int
    bare: float
    megabytes: float


def bench_class_map() -> Row:
    """All frames of a walk: each stop panned across, and the wheel turned in and out."""
    taxonomy = load_default()
    with tempfile.TemporaryDirectory() as made:
        _write_sheets(Path(made), taxonomy, references=_REFERENCES)
        frames = _measured(taxonomy, Path(made))
    return _row(frames, classes=len(taxonomy.class_wnids), bar="≤ 16 ms median, ≤ 33 ms p99")


def bench_class_map_of_many_classes() -> Row:
    """The same walk over the classes of ImageNet-21k, and what the process then has in memory."""
    taxonomy = taxonomy_of_many_classes()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / _TAXONOMY).write_bytes(dump(taxonomy))
        _write_sheets(folder, taxonomy, references=_REFERENCES_OF_MANY)
        run = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.class_map", str(folder)],
            cwd=_CHECKOUT,
            stdout=subprocess.PIPE,
            check=True,
        )
    frames = _Frames(*json.loads(run.stdout))
    made = _row(frames, classes=len(taxonomy.class_wnids), bar="≤ 33 ms median, ≤ 600 MB")
    return Row(
        made.name, f"{made.ours}, {frames.megabytes:.0f} MB", made.bare, made.ratio, made.bar
    )


def _row(frames: _Frames, *, classes: int, bar: str) -> Row:
    return Row(
        f"class map of {classes:,} classes, a frame at 1280 × 800",
        f"{frames.median * 1e3:.1f} ms median, {frames.p99 * 1e3:.1f} ms p99 of {frames.count:,}",
        f"painting one picture of this size {frames.bare * 1e3:.1f} ms",
        frames.median / frames.bare,
        bar,
    )


def _measured(taxonomy: Taxonomy, folder: Path) -> _Frames:
    running = QApplication.instance()
    application = running if isinstance(running, QApplication) else QApplication([])
    appearance = Appearance(application, ThemeChoice.LIGHT)
    class_map, canvas = _canvas(appearance, taxonomy, folder)
    # The first walk loads the pictures.
    for _frame in _walk(class_map, canvas):
        pass
    frames = sorted(_walk(class_map, canvas))
    bare = statistics.median(_plain_frames())
    canvas.deleteLater()
    p99 = frames[int(len(frames) * 0.99)]
    return _Frames(statistics.median(frames), p99, len(frames), bare, _megabytes())


def _write_sheets(folder: Path, taxonomy: Taxonomy, *, references: int) -> None:
    first, *others = taxonomy.class_wnids
    pictures = [folder / f"{number}.jpg" for number in range(references)]
    sources = []
    for number, path in enumerate(pictures):
        photograph(number).save(path, quality=QUALITY)
        hashed = content_hash(path.read_bytes())
        sources.append(SheetSource(key=path.stem, path=path, content_hash=hashed))
    build_sheet(folder, first, sources)
    text = manifest_path(folder, first).read_text(encoding="utf-8")
    for wnid in others:
        os.link(jpeg_path(folder, first), jpeg_path(folder, wnid))
        manifest_path(folder, wnid).write_text(text.replace(first, wnid), encoding="utf-8")


def _canvas(
    appearance: Appearance, taxonomy: Taxonomy, folder: Path
) -> tuple[ClassMap, ClassMapCanvas]:
    runner = Directly()
    class_map = ClassMap(canonical_branches(default_groups(taxonomy)), find=lambda _text: ())
    canvas = ClassMapCanvas(
        appearance,
        class_map,
        pages=MosaicLoader(
            folder=folder, wnids=taxonomy.class_wnids, runner=runner, decode=decode_page
        ),
        few=FirstReferences(folder=folder, runner=runner, decode=decode_tile),
        many=FirstReferences(folder=folder, runner=runner, decode=decode_tile, many=True),
    )
    canvas.resize(*_SIZE)
    canvas.show()
    class_map.open(taxonomy.class_wnids[400])
    canvas.show_view()
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
    return class_map, canvas


def _walk(class_map: ClassMap, canvas: ClassMapCanvas) -> Iterator[float]:
    """Yield the seconds of each frame."""
    for stop in STOPS:
        class_map.zoom_to(stop)
        canvas.show_view()
        yield _painted(canvas.viewport())
        for number in range(_PANS):
            way = 1 if number < _PANS // 2 else -1
            canvas.pan(way * _STEP, way * _STEP)
            yield _painted(canvas.viewport())
    for factor in (1 / _WHEEL_FACTOR, _WHEEL_FACTOR):
        for _turn in range(_WHEEL_STEPS):
            canvas.zoom_by(factor)
            yield _painted(canvas.viewport())


def _painted(widget: QWidget) -> float:
    started = time.perf_counter()
    widget.repaint()
    return time.perf_counter() - started


class _OnePicture(QWidget):
    """Paints a picture of its own size."""

    def __init__(self) -> None:
        super().__init__()
        self.resize(*_SIZE)
        self._picture = QPixmap(*_SIZE)
        self._picture.fill("gray")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802
        QPainter(self).drawPixmap(0, 0, self._picture)


def _plain_frames() -> list[float]:
    plain = _OnePicture()
    plain.show()
    QApplication.processEvents()
    frames = [_painted(plain) for _frame in range(_PANS)]
    plain.deleteLater()
    return frames


def _megabytes() -> float:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    resident = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(resident.split()[1]) / 1024


if __name__ == "__main__":
    at = Path(sys.argv[1])
    print(json.dumps(_measured(load(at / _TAXONOMY), at)))
