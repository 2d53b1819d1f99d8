"""What a labeler sees after choosing a class or comparing four, in a real window.

Four classes of the demo get a hundred references each, as a study of this kind has.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from labeler.images.contact_sheets import build_sheet
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import SheetSource, jpeg_path
from labeler.ui.classes.reference_grid import DEFAULT_TILE_SIZE
from labeler.ui.kit.pictures.contact_sheet import decode_sheet
from tests.benchmarks.demo_study import demo_copy
from tests.benchmarks.event_loop import Watchdog, serve_for
from tests.benchmarks.labeler_at_work import LabelerAtWork, Painted, labeler_at_work, serve_until
from tests.benchmarks.photographs import QUALITY, photograph
from tests.benchmarks.table import Row
from tests.benchmarks.workbench import Measured

_CLASSES = {
    "beaver": "n02363005",
    "marmot": "n02361337",
    "otter": "n02444819",
    "zebra": "n02391049",
}
_REFERENCES = 100
_ROUNDS = 6
_REST_MS = 200
_LARGE, _SMALL = (1920, 1080), (1280, 800)


def bench_chosen() -> Row:
    """Enter on a result until its hundred references are painted, all of them in sight."""
    measured = Measured()
    with _labeler(_LARGE) as (labeler, watchdog, thumbnails):
        grid = labeler.tools.class_view.panel.grid
        for name, wnid in list(_CLASSES.items()) * _ROUNDS:
            _find(labeler, name)
            painted = Painted(grid.viewport())

            def choose(painted: Painted = painted) -> None:
                labeler.press(Qt.Key.Key_Return)
                serve_until(lambda: painted.times > 0 and len(grid.visible_tiles) == _REFERENCES)

            measured.measure(watchdog, choose)
            sheet = jpeg_path(thumbnails, wnid)
            measured.measure_bare(lambda sheet=sheet: decode_sheet(sheet, DEFAULT_TILE_SIZE))
    return measured.row(
        "workbench: class chosen to its 100 references painted, all visible", "decoding its sheet"
    )


def bench_comparison() -> Row:
    """The compare key until four classes and their references are painted."""
    measured = Measured()
    with _labeler(_SMALL) as (labeler, watchdog, thumbnails):
        for name in _CLASSES:
            _find(labeler, name)
            labeler.press(Qt.Key.Key_S, ctrl=True)
        for _ in range(4 * _ROUNDS):
            measured.measure(watchdog, lambda: _compare(labeler))
            sheets = [jpeg_path(thumbnails, w) for w in _CLASSES.values()]
            measured.measure_bare(
                lambda sheets=sheets: [decode_sheet(sheet, DEFAULT_TILE_SIZE) for sheet in sheets]
            )
            labeler.press(Qt.Key.Key_K, ctrl=True)
            serve_for(_REST_MS)
    return measured.row("workbench: four classes compared and painted", "decoding their sheets")


def _compare(labeler: LabelerAtWork) -> None:
    labeler.press(Qt.Key.Key_K, ctrl=True)
    serve_until(lambda: _are_loaded(labeler))
    # What was loaded last is painted with the next events.
    QApplication.processEvents()
    columns = labeler.tools.class_view.comparison.columns
    assert min(len(column.grid.visible_tiles) for column in columns) >= 12


def _are_loaded(labeler: LabelerAtWork) -> bool:
    columns = labeler.tools.class_view.comparison.columns
    return len(columns) == len(_CLASSES) and all(column.grid.tiles for column in columns)


def _find(labeler: LabelerAtWork, name: str) -> None:
    labeler.press(Qt.Key.Key_F, ctrl=True)
    labeler.press(Qt.Key.Key_A, ctrl=True)
    labeler.type(name)
    serve_until(lambda: labeler.tools.browser.view.wnid == _CLASSES[name])
    QApplication.processEvents()


@contextmanager
def _labeler(size: tuple[int, int]) -> Iterator[tuple[LabelerAtWork, Watchdog, Path]]:
    with tempfile.TemporaryDirectory() as place:
        study = demo_copy(Path(place))
        for number, wnid in enumerate(_CLASSES.values()):
            build_sheet(study / "thumbnails", wnid, _sources(Path(place), wnid, number))
        with labeler_at_work(study, size=size) as labeler:
            serve_for(_REST_MS)
            watchdog = Watchdog()
            yield labeler, watchdog, study / "thumbnails"
            watchdog.deleteLater()


def _sources(place: Path, wnid: str, number: int) -> list[SheetSource]:
    folder = place / wnid
    folder.mkdir()
    made = []
    for each in range(_REFERENCES):
        file = folder / f"{each:03}.jpg"
        photograph(_REFERENCES * number + each).save(file, quality=QUALITY)
        made.append(
            SheetSource(key=file.stem, path=file, content_hash=content_hash(file.read_bytes()))
        )
    return made
