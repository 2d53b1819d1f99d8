"""The real window over a real small study, as often as a test wants to open it."""

import gc
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest

# Imported here: threads that it starts inherit the name of the thread that imports it first, and
# would be taken for a runner's.
import scipy.special  # noqa: F401
from PIL import Image
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.study.people import add_person
from labeler.app.study.preferences import ThemeChoice
from labeler.app.study.settings import change_settings
from labeler.app.study.studies import new_study
from labeler.core.study.entities import Role
from labeler.demo.support import demo_support
from labeler.store.study_opening import open_study
from labeler.ui.classes.classes_screen import ClassesScreen
from labeler.ui.window.application import BuiltWindow, build_window
from labeler.ui.window.gc_policy import collection_on_gui_thread
from labeler.ui.window.navigation import LaunchRequest
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import THREAD_NAME, Workers
from tests.adjustable_clock import AdjustableClock
from tests.gui.leading import BEAVER, MARMOT
from tests.gui.shared_window import in_front, is_shared, open_windows, returned_home, shared_session
from tests.gui.small_study import SmallStudy, copied, make_study
from tests.gui.window_session import CONTROL, WindowSession

# A window is some 14 MB, a collection takes a tenth of a second.
_TESTS_BETWEEN_COLLECTIONS = 8
_finished_tests = count(1)


@pytest.fixture(autouse=True)
def garbage_collected_here(qapp: QApplication) -> Iterator[None]:
    """As while the program's own window is open: no worker destroys what an earlier test left."""
    with collection_on_gui_thread():
        yield


@pytest.fixture(autouse=True)
def no_native_thread_left(garbage_collected_here: None, qtbot: QtBot) -> Iterator[None]:
    """The runner's threads are known to the system only, by their name, where it tells."""
    _start_blas_threads()
    yield
    if not open_windows:
        # Qt's threads are detached: one that has finished is gone a moment later.
        qtbot.waitUntil(lambda: THREAD_NAME not in _native_threads())


@pytest.fixture(autouse=True)
def no_widget_left(no_native_thread_left: None, qapp: QApplication) -> Iterator[None]:
    """What a test forgot to close isn't found by the next one that looks at every widget."""
    yield
    for widget in QApplication.topLevelWidgets():
        if not is_shared(widget):
            widget.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _start_blas_threads() -> None:
    """Let NumPy start its threads here: they have the name of the thread that needs them first.

    It ends them at each fork, so an earlier test may have left none.
    """
    square = np.ones((256, 256), dtype=np.float32)
    _ = square @ square


def pytest_runtest_logfinish() -> None:
    """Collect what some tests left, and pass over what is alive now: modules and caches.

    Here a test's own fixtures are gone. To look through all that is imported would take an eighth
    of the tests' time.
    """
    if next(_finished_tests) % _TESTS_BETWEEN_COLLECTIONS == 0:
        gc.collect()
        if not open_windows:  # what is frozen is never collected
            gc.freeze()


def _native_threads() -> list[str]:
    return [_name(task) for task in Path("/proc/self/task").glob("*")]


def _name(task: Path) -> str:
    try:
        return (task / "comm").read_text().strip()
    except OSError:  # it ended while it was looked at
        return ""


@pytest.fixture(scope="session")
def study_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study as it is made, to be copied by each test."""
    return make_study(tmp_path_factory.mktemp("made"))


@pytest.fixture
def study(study_once: Path, tmp_path: Path) -> SmallStudy:
    return copied(study_once, tmp_path / "study")


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def clock() -> AdjustableClock:
    return AdjustableClock()


@pytest.fixture
def open_session(
    qtbot: QtBot,
    qapp: QApplication,
    study: SmallStudy,
    settings: QSettings,
    clock: AdjustableClock,
) -> Iterator[Callable[..., WindowSession]]:
    """Opens the window for a wish, by default on the study; closed windows may be opened again."""
    opened: list[BuiltWindow] = []

    def sit(
        request: LaunchRequest | None = None, *, workers: Workers | None = None
    ) -> WindowSession:
        serving = workers or Workers()
        window = build_window(
            qapp,
            keymap=load_keymap(),
            settings=settings,
            demo=demo_support(),
            clock=clock,
            workers=serving,
        )
        opened.append(window)
        window.window.show()
        qtbot.waitUntil(window.window.isActiveWindow)
        window.navigation.start(request or LaunchRequest(study=study.folder))
        return WindowSession(window, qtbot, clock, study, serving)

    yield sit
    for window in opened:
        window.close()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def at_home(open_session: Callable[..., WindowSession]) -> WindowSession:
    """Labeler A, signed in."""
    session = open_session()
    session.sign_in()
    return session


@pytest.fixture
def at_work(at_home: WindowSession) -> WindowSession:
    """Labeler A at the first trial, its image on the screen."""
    at_home.begin()
    return at_home


@pytest.fixture
def asked_how_sure(
    open_session: Callable[..., WindowSession], study: SmallStudy, clock: AdjustableClock
) -> WindowSession:
    """Labeler A at the first trial of a study that asks for confidence."""
    with open_study(study.folder, clock=clock) as store:
        change_settings(store, asks_confidence=True)
    session = open_session()
    session.sign_in()
    session.begin()
    return session


@pytest.fixture
def looking_up(at_home: WindowSession) -> WindowSession:
    """Labeler A among the classes, outside any task."""
    at_home.click(at_home.home().classes)
    at_home.wait(lambda: at_home.in_focus is not None)
    return at_home


@pytest.fixture(scope="module")
def labeler_window(
    request: pytest.FixtureRequest,
    qapp: QApplication,
    study_once: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[WindowSession]:
    """Labeler A, signed in, in one window for all tests of a module that only look."""
    folder = tmp_path_factory.mktemp("shared")
    study = copied(study_once, folder / "study")
    with shared_session(study, folder / "home", QtBot(request), "A") as session:
        yield session


@pytest.fixture
def looking_at_home(labeler_window: WindowSession, qtbot: QtBot) -> WindowSession:
    """Labeler A at home, in the module's window: for tests that change nothing in the study."""
    return returned_home(labeler_window, qtbot)


@pytest.fixture
def looking_at_classes(labeler_window: WindowSession, qtbot: QtBot) -> WindowSession:
    """Labeler A among the classes with nothing searched for, in the module's window."""
    session = in_front(labeler_window, qtbot)
    if not isinstance(session.window.screen_shown, ClassesScreen):
        session.click(returned_home(session, qtbot).home().classes)
        session.wait(lambda: session.in_focus is not None)
    session.press(Qt.Key.Key_F, CONTROL)
    session.press(Qt.Key.Key_Escape)
    return session


@pytest.fixture
def appearance(qapp: QApplication) -> Iterator[Appearance]:
    """The light look, for widgets without a window of the program's."""
    made = Appearance(qapp, ThemeChoice.LIGHT)
    yield made
    made.deleteLater()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Two pictures of each of two classes, by wnid."""
    folder = tmp_path / "val"
    for number, wnid in enumerate((MARMOT, BEAVER)):
        for each in range(2):
            file = folder / wnid / f"{wnid}_{each}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (24, 16), (60 * number, 90 * each, 40)).save(file)
    return folder


@pytest.fixture(scope="session")
def first_study_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with a lead and nothing else, to be copied by each test."""
    folder = tmp_path_factory.mktemp("made") / "first"
    with new_study(folder, clock=AdjustableClock(), name="First study") as store:
        add_person(store, "L", roles=[Role.LEAD])
    return folder


@pytest.fixture(scope="module")
def lead_window(
    request: pytest.FixtureRequest,
    qapp: QApplication,
    first_study_once: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[WindowSession]:
    """The lead of an empty study, in one window for all tests of a module that only look."""
    folder = tmp_path_factory.mktemp("shared")
    study = copied(first_study_once, folder / "first")
    with shared_session(study, folder / "home", QtBot(request), "L") as session:
        yield session


@pytest.fixture
def looking_lead(lead_window: WindowSession, qtbot: QtBot) -> WindowSession:
    """The lead at home, in the module's window: for tests that change nothing in the study."""
    return returned_home(lead_window, qtbot)


@pytest.fixture
def lead(
    open_session: Callable[..., WindowSession], first_study_once: Path, tmp_path: Path
) -> WindowSession:
    """The lead of an empty study, at home."""
    folder = copied(first_study_once, tmp_path / "first").folder
    session = open_session(LaunchRequest(study=folder))
    session.sign_in_screen()
    session.type_in("L")
    session.press(Qt.Key.Key_Return)
    session.home()
    return session
