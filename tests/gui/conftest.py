"""A study's window over real files whose names would tell a labeler too much."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.overview import Count, PhaseCard, StudyOverview, WindowInputs
from labeler.core.phases import Phase, PhaseState
from labeler.core.taxonomy import load_default
from labeler.images.contact_sheets import build_sheet
from labeler.images.identify import content_hash
from labeler.images.sheet_manifest import SheetSource
from labeler.ui.application import OpenWindow, open_window
from labeler.ui.qt_runner import THREAD_NAME

BEAVER, MARMOT, TIGER = "n02363005", "n02361337", "n02129604"
COLOURS = {BEAVER: (200, 40, 40), MARMOT: (40, 160, 60)}


@pytest.fixture(autouse=True)
def no_native_thread_left(qtbot: QtBot) -> Iterator[None]:
    """The runner's threads are known to the system only, by their name, where it tells."""
    yield
    # Qt's threads are detached: one that has finished is gone a moment later.
    qtbot.waitUntil(lambda: THREAD_NAME not in _native_threads())


def _native_threads() -> list[str]:
    return [_name(task) for task in Path("/proc/self/task").glob("*")]


def _name(task: Path) -> str:
    try:
        return (task / "comm").read_text().strip()
    except OSError:  # it ended while it was looked at
        return ""


def make_sheet(folder: Path, dataset: Path, wnid: str, count: int) -> None:
    """A contact sheet of plain pictures, made from files with tell-tale names."""
    sources = []
    for number in range(count):
        file = dataset / f"blabbing_file_{wnid}_{number}.png"
        Image.new("RGB", (160, 120), COLOURS[wnid]).save(file)
        hashed = content_hash(file.read_bytes())
        sources.append(SheetSource(key=f"snitch_key_{number}", path=file, content_hash=hashed))
    build_sheet(folder, wnid, sources)


@pytest.fixture(scope="session")
def thumbnails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sheets of two classes, and a damaged one of a third."""
    root = tmp_path_factory.mktemp("study")
    folder, dataset = root / "thumbnail-folder", root / "tattledataset"
    folder.mkdir()
    dataset.mkdir()
    make_sheet(folder, dataset, BEAVER, 40)
    make_sheet(folder, dataset, MARMOT, 3)
    (folder / f"{TIGER}.jpg").write_bytes(b"no picture")
    (folder / f"{TIGER}.json").write_text("{", encoding="utf-8")
    return folder


@pytest.fixture
def inputs(thumbnails: Path) -> WindowInputs:
    states = (PhaseState.LOCKED, PhaseState.OPEN, PhaseState.OPEN, PhaseState.CLOSED)
    phases = zip(Phase, states, strict=True)
    cards = tuple(PhaseCard(p, state, f"What can be done in {p}.") for p, state in phases)
    return WindowInputs(
        study_name="A study of rodents",
        overview=StudyOverview(phases=cards, counts=(Count(1143, "reference images"),)),
        taxonomy=load_default(),
        thumbnails=thumbnails,
        guide_pairs=frozenset({(MARMOT, BEAVER)}),
    )


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def open_study(
    qtbot: QtBot, qapp: QApplication, inputs: WindowInputs, settings: QSettings
) -> Iterator[Callable[..., OpenWindow]]:
    """Opens the window, as often as a test likes, with what it wants to be different."""
    opened: list[OpenWindow] = []

    def open_it(**changes: object) -> OpenWindow:
        changed = replace(inputs, **changes)  # type: ignore[arg-type]
        window = open_window(qapp, changed, keymap=load_keymap(), settings=settings)
        opened.append(window)
        window.window.show()
        qtbot.waitUntil(window.window.isActiveWindow)
        return window

    yield open_it
    for window in opened:
        window.close()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def study(open_study: Callable[..., OpenWindow]) -> OpenWindow:
    return open_study()
