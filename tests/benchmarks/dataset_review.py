"""The review of 1,000 classes, from opening it to the first class painted with all pictures."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from labeler.app.curation.building import build_dataset
from labeler.app.curation.class_review import ClassReviewPresenter
from labeler.app.keymap import load_keymap
from labeler.app.study.people import add_person
from labeler.app.study.preferences import ThemeChoice
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.study.entities import ImageKey, Role
from labeler.store.exchange.importer import import_exchange
from labeler.store.study_store import StudyStore
from labeler.ui.curation.class_review_screen import ClassReviewScreen
from labeler.ui.window.theme import Appearance
from tests.benchmarks.crowd import grid_picture
from tests.benchmarks.curation import REQUEST, write_pool
from tests.benchmarks.event_loop import serve_for
from tests.benchmarks.table import Row
from tests.unit.store.conftest import made_study

_CANDIDATES, _PICTURES, _CLASSES_PASSED = 60, 20, 20
_FIRST_PAINT_MS = 1000


def bench_dataset_review() -> Row:
    """The first paint, and how long the next class takes; decoding is measured elsewhere."""
    with tempfile.TemporaryDirectory() as place:
        write_pool(Path(place, "files"), per_class=_CANDIDATES)
        with made_study(Path(place, "study")) as store:
            import_exchange(store, Path(place, "files"))
            add_person(store, "V", roles=[Role.REVIEWER])
            build_dataset(store, REQUEST)
            first, following = _timed_review(store)
    return Row(
        "first paint of the review of 1,000 × 10 images",
        f"{first * 1000:.0f} ms, each following class {following * 1000:.0f} ms",
        f"{_FIRST_PAINT_MS:,} ms",
        first * 1000 / _FIRST_PAINT_MS,
        "≤ 1×",
    )


def _timed_review(store: StudyStore) -> tuple[float, float]:
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    runner, pictures = _DirectRunner(), [grid_picture(seed) for seed in range(_PICTURES)]
    presenter = ClassReviewPresenter(store=store, reviewer="V", runner=runner, describe=str)
    loader: ThumbnailLoader[ImageKey, QImage] = ThumbnailLoader(
        runner=runner, load=lambda key: pictures[hash(key) % _PICTURES]
    )
    look = Appearance(application, ThemeChoice.LIGHT)
    screen = ClassReviewScreen(look, load_keymap(), presenter, loader)
    screen.resize(1280, 764)
    screen.show()
    serve_for(200)
    began = time.perf_counter()
    screen.start()
    screen.repaint()
    first = time.perf_counter() - began
    assert presenter.view is not None
    assert len(presenter.view.tiles) == len(presenter.view.originals) == REQUEST.per_class
    began = time.perf_counter()
    for _ in range(_CLASSES_PASSED):
        presenter.finish_class()
        screen.repaint()
    following = (time.perf_counter() - began) / _CLASSES_PASSED
    screen.hide()
    return first, following


class _DirectRunner:
    """Runs jobs in place."""

    def run(
        self,
        _name: str,
        work: Callable[[], Any],
        *,
        done: Callable[[Any], None],
        **_more: object,
    ) -> Any:
        done(work())
