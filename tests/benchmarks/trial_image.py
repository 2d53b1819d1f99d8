"""The next image on the screen, prepared ahead or not, against decoding it once."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.app.trial_image_loader import PREFETCH_COUNT, TrialImageLoader
from labeler.core.clock import SystemClock
from labeler.core.labeling.blind_types import EncodedImage
from labeler.images.decoder import decode
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid, build_pyramid, refit_pyramid
from labeler.ui.kit.pictures.image_view import ImageView
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import QtRunner
from tests.benchmarks.table import Row

_PHOTOGRAPH = (500, 375)
_WINDOW = (720, 640)
_TRIALS = 200


def bench_prefetched() -> Row:
    """A labeler submits, and the next image was decoded and scaled while the last was looked at."""
    return _bench("next image, prefetched", "≤ 0.3×", ahead=True)


def bench_not_prefetched() -> Row:
    """A labeler goes to a trial that no one expected: read, decode, scale, paint."""
    return _bench("next image, not prefetched", "≤ 2.5×", ahead=False)


def _bench(name: str, bar: str, *, ahead: bool) -> Row:
    with _setup() as setup:
        painting, decoding = [], []
        for number in range(_TRIALS):
            if ahead:
                setup.prefetch(number)
            painting.append(_timed(lambda number=number: setup.show(number)))
            decoding.append(_timed(lambda: decode(setup.photograph.read_bytes())))
    ours, bare = statistics.median(painting), statistics.median(decoding)
    return Row(
        name,
        f"{ours * 1e3:.2f} ms median until painted",
        f"decoding it {bare * 1e3:.2f} ms",
        ours / bare,
        bar,
    )


@dataclass(frozen=True)
class _Setup:
    """A shown view with the presenter and the worker behind it."""

    photograph: Path
    images: TrialImageLoader[ImagePyramid]
    view: ImageView
    loop: QEventLoop
    runner: QtRunner

    def show(self, number: int) -> None:
        """Ask for a trial's image and come back when it has been painted."""
        self.images.show(str(number))
        self.loop.exec()

    def prefetch(self, number: int) -> None:
        """Ask for a trial's image and those after it, and wait until they are there."""
        self.images.prefetch([str(number + step) for step in range(PREFETCH_COUNT)])
        self.runner.run(
            "wait", lambda: None, done=lambda _none: self.loop.quit(), failed=_fail, urgent=False
        )
        self.loop.exec()
        # A labeler looks for seconds: what the worker still has to say was heard long ago.
        QApplication.processEvents()


@contextmanager
def _setup() -> Iterator[_Setup]:
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    with tempfile.TemporaryDirectory() as folder:
        photograph = _photograph(Path(folder))
        appearance, loop = Appearance(application, ThemeChoice.LIGHT), QEventLoop()
        view, runner = ImageView(appearance, load_keymap()), QtRunner(threads=1)
        images = TrialImageLoader(
            fetch=lambda _trial_id: EncodedImage(photograph.read_bytes(), apply_exif=False),
            prepare=build_pyramid,
            refit=refit_pyramid,
            runner=runner,
            clock=SystemClock(),
        )
        images.listen(view.render_trial_image)
        view.viewport_changed.connect(images.set_viewport)
        view.painted.connect(loop.quit)
        view.resize(*_WINDOW)
        view.show()
        setup = _Setup(photograph, images, view, loop, runner)
        for warming_up in range(-20, 0):
            setup.show(warming_up)
        yield setup
        images.close()
        runner.close()
        view.close()


def _photograph(folder: Path) -> Path:
    """A picture with detail at every scale and little colour in the finest, as photographs have."""
    random = np.random.default_rng(11)
    light = _detail(random, finest=0)
    tints = [light + 0.6 * _detail(random, finest=2) for _channel in range(3)]
    pixels = np.stack(tints, axis=-1) * 0.8 + 127
    file = folder / "photograph.jpg"
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(file, quality=90)
    return file


def _detail(random: np.random.Generator, *, finest: int) -> np.ndarray:
    """Noise of many sizes, the coarser the stronger."""
    whole = np.zeros(_PHOTOGRAPH[::-1])
    for octave in range(finest, 8):
        across, down = (max(2, side >> octave) for side in _PHOTOGRAPH)
        noise = Image.fromarray(
            random.normal(0, 16 * 1.2**octave, (down, across)).astype("float32")
        )
        whole += np.asarray(noise.resize(_PHOTOGRAPH, Image.Resampling.BICUBIC))
    return whole


def _fail(error: Exception) -> None:
    raise error


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
